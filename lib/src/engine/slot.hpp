// A slot of a bucket, made ready: runs its program eagerly or into a capture.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/execution.hpp"
#include "engine/node_state.hpp"
#include "engine/padding_rows.hpp"
#include "engine/random_draws.hpp"
#include "graphplan/engine.hpp"

namespace graphplan::engine {

/// Where slots of an engine run.
class Lanes {
  public:
    virtual ~Lanes() = default;
    /// Eager work: the engine's own stream, the default pool, workspaces that live until released.
    virtual Target eager() = 0;
    /// Captures: a stream of their own. The workspaces live as long as any graph of the pool does.
    virtual Target capturing(CachingAllocator::Pool pool, std::shared_ptr<Workspaces>& workspaces) = 0;
};

/// Which slot it is: of a bucket, or, eager only, of a shape that needs to be no bucket.
struct SlotPlace {
    const BucketSpec& spec;
    std::int64_t slot = 0;
    ForwardRef forward;
    bool eager_only = false;
};

class Slot final : public PreparedSlot {
  public:
    /// Without `interned` inputs it has its own; with `eager_only` its page tables are its own too.
    Slot(Lanes& lanes, NodeState& node, PaddingRows& padding, const SlotPlace& place,
         std::shared_ptr<const LoweredProgram> program, const InputAddresses* interned);
    ~Slot() override;

    ForwardResult forward() override;
    CapturedGraph capture(CachingAllocator::Pool pool, std::int64_t calls, Address outputs) override;
    void set_row_lengths(std::span<const std::int64_t> lengths) override;
    const SlotTensors& tensors() const noexcept override { return tensors_; }

  private:
    void own_inputs();
    void own_page_tables();
    void stage(const Target& target);
    CapturedGraph record(CachingAllocator::Pool pool, std::int64_t calls, Address outputs);
    std::vector<Block> allocate_outputs(const Target& target) const;
    void copy_outputs(const Target& target, const std::vector<Block>& from,
                      const std::vector<Block>& to) const;

    Lanes& lanes_;
    NodeState& node_;
    PaddingRows& padding_;
    std::string label_;
    ForwardRef forward_;
    bool is_region_;
    std::int64_t tokens_;
    std::shared_ptr<const LoweredProgram> program_;
    std::vector<std::int64_t> rows_;
    std::vector<std::int32_t> row_offsets_;
    RandomDraws draws_;
    std::shared_ptr<InputBuffers> own_inputs_;  ///< a region's: a set for each graph
    std::vector<Block> own_page_tables_;
    Bindings bindings_;
    SlotTensors tensors_;
    std::vector<Block> outputs_;
};

}  // namespace graphplan::engine
