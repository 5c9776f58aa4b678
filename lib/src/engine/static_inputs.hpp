// The buffers that walks read their inputs from: one for each (capture config, input).
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "engine/block.hpp"
#include "engine/lowered.hpp"
#include "graphplan/device.hpp"

namespace graphplan::engine {

/// Where a bucket's inputs lie. Each is dense and begins where its buffer does: a smaller bucket takes a
/// prefix of it.
struct InputAddresses {
    std::vector<Address> inputs;
    Address row_offsets = 0;
};

/// The buffers of one set of inputs.
class InputBuffers {
  public:
    /// Grows the buffers to what a bucket's program reads.
    void need(const LoweredProgram& program, std::int64_t bs);
    /// Allocates and zeroes them. @throws Error out_of_memory, device
    void allocate(Device& device, CachingAllocator& allocator, std::uint64_t stream);
    const InputAddresses& addresses() const noexcept { return addresses_; }
    Bytes bytes() const noexcept;

  private:
    std::vector<Bytes> input_bytes_;
    Bytes row_offset_bytes_ = 0;
    std::vector<Block> blocks_;
    InputAddresses addresses_;
};

/// Interned: all buckets of a capture config share its buffers, sized by the largest before any capture.
class StaticInputs {
  public:
    void need(std::size_t config, const LoweredProgram& program, std::int64_t bs);
    void claim(Device& device, CachingAllocator& allocator, std::uint64_t stream);
    const InputAddresses& addresses(std::size_t config) const { return buffers_.at(config).addresses(); }

  private:
    std::map<std::size_t, InputBuffers> buffers_;
};

}  // namespace graphplan::engine
