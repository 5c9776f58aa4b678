// Fills weights with random numbers, so that what a program computes depends on what it is given.
#pragma once

#include <array>
#include <cstdint>

#include "engine/block.hpp"
#include "graphplan/device.hpp"
#include "graphplan/model.hpp"

namespace graphplan::engine {

/// Uniform numbers from -0.05 to 0.05, the same for the same seed and order of calls. They are drawn once
/// for each type and copied from there on the device, each weight from another place: billions of them
/// take no longer than zeros.
class RandomWeights {
  public:
    RandomWeights(Device& device, CachingAllocator& allocator, std::uint64_t stream, std::uint64_t seed);

    /// @throws Error out_of_memory, device
    void fill(Address address, DType dtype, Bytes bytes);

  private:
    const Block& drawn(DType dtype);

    Device& device_;
    CachingAllocator& allocator_;
    std::uint64_t stream_, seed_;
    Bytes next_ = 0;              ///< where the next weight begins in the drawn numbers
    std::array<Block, 6> drawn_;  ///< by type
};

}  // namespace graphplan::engine
