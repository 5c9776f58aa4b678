// Reserved address ranges and the memory mapped into them, in pieces of 2 MiB.
#pragma once

#include <cuda.h>

#include <map>
#include <vector>

#include "graphplan/memory.hpp"

namespace graphplan::cuda {

class ReservedRanges {
  public:
    explicit ReservedRanges(int ordinal) noexcept : ordinal_(ordinal) {}
    ~ReservedRanges();
    ReservedRanges(const ReservedRanges&) = delete;
    ReservedRanges& operator=(const ReservedRanges&) = delete;

    /// @throws Error device
    Address reserve();
    /// @throws Error out_of_memory, with nothing mapped
    void map(Address address, Bytes bytes);
    /// At once: work that still uses the memory must have ended.
    void unmap(Address address, Bytes bytes) noexcept;
    bool any_mapped() const noexcept { return !pieces_.empty(); }

  private:
    void map_piece(Address address);

    int ordinal_;
    std::vector<Address> ranges_;
    std::map<Address, CUmemGenericAllocationHandle> pieces_;
};

}  // namespace graphplan::cuda
