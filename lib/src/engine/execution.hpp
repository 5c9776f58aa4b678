// One pass over a program: runs its calls and holds its tensors for as long as something reads them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/block.hpp"
#include "engine/lowered.hpp"
#include "engine/node_resources.hpp"
#include "engine/static_inputs.hpp"
#include "engine/workspaces.hpp"
#include "graphplan/costs.hpp"
#include "graphplan/device.hpp"

namespace graphplan::engine {

/// What a program's operands stand for beside the storages that it makes itself.
struct Bindings {
    InputAddresses inputs;
    std::vector<ResourceAddresses> resources;
    const std::vector<Address>* weights = nullptr;
};

/// The address of an operand that no call makes. 0 for one that a call makes.
Address resolve_bound(const Bindings& bindings, const Operand& operand);

/// Where a pass runs and allocates.
struct Target {
    Device* device = nullptr;
    CachingAllocator* allocator = nullptr;
    CachingAllocator::Pool pool = CachingAllocator::kDefaultPool;
    const Stream* stream = nullptr;
    Workspaces* workspaces = nullptr;
};

/// Where a pass leaves its outputs. By default in blocks of the pool.
struct OutputPlace {
    bool copied_out = false;  ///< somebody copies them at its end: they are no outputs of the pool
    Address address = 0;      ///< else, where it isn't 0: from here on, one after another
};

/// Its destructor frees what it still holds.
///
/// The trace tells what a pass allocates that has the pool to itself: a workspace stands in it where it
/// is first used, whether or not an earlier pass made it. So the traces of warm-ups and captures of one
/// program are equal.
class Execution final : public Scratch {
  public:
    Execution(const Target& target, const LoweredProgram& program, const Bindings& bindings,
              const OutputPlace& outputs);

    /// @throws Error out_of_memory, device
    void run();

    Address temporary(Bytes bytes) override;
    Address workspace(std::string_view library, Bytes bytes) override;

    /// After `run`: the blocks of the storages of outputs, in the order of the program's storages; of
    /// outputs that are not in the pool, none.
    std::vector<Block> take_outputs();
    /// Where they lie.
    std::vector<Address> output_addresses() const;
    EventTrace take_trace() { return std::move(trace_); }

  private:
    struct Held {
        Block block;
        Address address = 0;
        std::int64_t id = 0;
    };
    Held make(const Storage& storage);
    Held allocate(Bytes bytes, EventTag tag);
    void free(Held& held);
    void run_call(const LoweredCall& lowered);
    Address resolve(const Operand& operand) const;
    void note_outputs_left();

    Target target_;
    const LoweredProgram& program_;
    const Bindings& bindings_;
    OutputPlace outputs_;
    std::vector<Held> made_;
    std::vector<Held> temporaries_;
    std::vector<std::pair<std::string, Bytes>> workspaces_used_;
    EventTrace trace_;
    std::int64_t next_id_ = 0;
};

}  // namespace graphplan::engine
