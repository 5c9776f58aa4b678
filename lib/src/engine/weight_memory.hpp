// The weights of a node in device memory.
#pragma once

#include <vector>

#include "engine/block.hpp"
#include "engine/random_weights.hpp"
#include "engine/weights.hpp"
#include "graphplan/device.hpp"

namespace graphplan::engine {

class WeightMemory {
  public:
    /// Allocates every weight and fills it with zeros, or with `random` numbers where it is given. With
    /// `share`, one weight stands in for all that differ only in the layer they belong to. @throws Error
    /// out_of_memory, device
    void load(const WeightTable& table, bool share, Device& device, CachingAllocator& allocator,
              std::uint64_t stream, RandomWeights* random = nullptr);

    const std::vector<Address>& addresses() const noexcept { return addresses_; }
    /// Bytes of the weights that others stand in for.
    Bytes shared_bytes() const noexcept { return shared_bytes_; }

  private:
    std::vector<Block> blocks_;
    std::vector<Address> addresses_;
    Bytes shared_bytes_ = 0;
};

}  // namespace graphplan::engine
