// Other processes on the device, which take and give memory while we measure.
#pragma once

#include <cstdint>

#include "sim/device_memory.hpp"

namespace graphplan::sim {

/// A seeded random walk: between two readings of memory, others take or give up to `most` bytes, in
/// units of 64 KiB. With 0 they keep still.
class Neighbours {
  public:
    Neighbours(std::uint64_t seed, Bytes most) noexcept : state_(seed), most_(most) {}

    void move(DeviceMemory& memory) noexcept;

  private:
    std::uint64_t random() noexcept;

    std::uint64_t state_;
    Bytes most_;
};

}  // namespace graphplan::sim
