// The memory in which a driver holds executables, outside any allocator.
//
// As measured on an NVIDIA H200 (driver 580): it is mapped in pieces of 2 MiB as they are needed, follows
// the kernel nodes of a graph and not what they do, takes nothing for fills and copies, and never comes
// back: what destroyed executables leave goes to later ones. Two heaps, one for nodes and one for graphs,
// give the curves that were seen, steps of two pieces at once among them.
#pragma once

#include <cstdint>

#include "sim/device_memory.hpp"

namespace graphplan::sim {

class ExecutableMemory {
  public:
    /// Room for an executable of so many kernel nodes. @throws Error out_of_memory, taking nothing
    void add(std::int64_t kernels, DeviceMemory& memory);
    /// Its room is free for later ones.
    void remove(std::int64_t kernels) noexcept;

  private:
    struct Heap {
        Bytes used = 0;
        Bytes mapped = 0;
        Bytes missing() const noexcept { return used > mapped ? round_up(used - mapped, kSegment) : 0; }
    };

    // What the context's own kernels left of the pieces that they lie in.
    Heap nodes_{0, 5 * kSegment / 4};
    Heap graphs_{0, kSegment / 4};
};

}  // namespace graphplan::sim
