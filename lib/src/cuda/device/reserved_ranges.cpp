#include "cuda/device/reserved_ranges.hpp"

#include "cuda/device/driver.hpp"

namespace graphplan::cuda {

ReservedRanges::~ReservedRanges() {
    while (!pieces_.empty()) unmap(pieces_.begin()->first, kSegment);
    for (const Address range : ranges_) driver().free_range(range, SegmentSource::kReservedBytes);
}

Address ReservedRanges::reserve() {
    CUdeviceptr range = 0;
    check(driver().reserve(&range, SegmentSource::kReservedBytes, kSegment, 0, 0), "cuMemAddressReserve");
    ranges_.push_back(range);
    return range;
}

void ReservedRanges::map(Address address, Bytes bytes) {
    Bytes done = 0;
    try {
        for (; done < bytes; done += kSegment) map_piece(address + static_cast<Address>(done));
    } catch (...) {
        unmap(address, done);
        throw;
    }
}

void ReservedRanges::map_piece(Address address) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = ordinal_;
    CUmemGenericAllocationHandle piece = 0;
    check(driver().create(&piece, kSegment, &properties, 0), "cuMemCreate");
    if (const CUresult status = driver().map(address, kSegment, 0, piece, 0); status != CUDA_SUCCESS) {
        driver().release(piece);
        check(status, "cuMemMap");
    }
    pieces_.emplace(address, piece);
    CUmemAccessDesc access{};
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    if (const CUresult status = driver().set_access(address, kSegment, &access, 1); status != CUDA_SUCCESS) {
        unmap(address, kSegment);
        check(status, "cuMemSetAccess");
    }
}

void ReservedRanges::unmap(Address address, Bytes bytes) noexcept {
    for (Bytes done = 0; done < bytes; done += kSegment) {
        const auto piece = pieces_.find(address + static_cast<Address>(done));
        if (piece == pieces_.end()) continue;
        driver().unmap(piece->first, kSegment);
        driver().release(piece->second);
        pieces_.erase(piece);
    }
}

}  // namespace graphplan::cuda
