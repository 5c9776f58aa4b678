#include "planner/placed_segments.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace graphplan {

void PlacedSegments::expect(std::vector<SegmentRecord> segments) noexcept {
    expected_ = std::move(segments);
    next_ = 0;
}

Address PlacedSegments::allocate(Bytes bytes) {
    if (next_ == expected_.size()) return below(bytes);
    const SegmentRecord& recorded = expected_[next_++];
    if (recorded.bytes != bytes) {
        ++mismatches_;
        return below(bytes);
    }
    const Address address = kOffset + std::min(recorded.address, kOffset);
    lowest_ = std::min(lowest_, address);
    return address;
}

Address PlacedSegments::below(Bytes bytes) {
    if (lowest_ <= static_cast<Address>(bytes)) {
        throw Error(ErrorCode::out_of_memory,
                    fmt::format("segments take more than {} in all: no device has as much",
                                format_bytes(static_cast<Bytes>(kOffset))));
    }
    return lowest_ -= static_cast<Address>(bytes);
}

}  // namespace graphplan
