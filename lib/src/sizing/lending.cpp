#include "sizing/lending.hpp"

#include <algorithm>

#include "sizing/executable_memory.hpp"

namespace graphplan {
namespace {

Bytes scratch_segments(const CapturedSize& captured) {
    return round_up(captured.scratch_bytes(), kSegment) / kSegment;
}

}  // namespace

bool WalkLending::lends(Bytes peak_bytes) const noexcept {
    return captured_.size() >= 2 && !outgrown_ && peak_bytes <= lender().peak_bytes;
}

void WalkLending::add(const CapturedSize& captured) {
    captured_.push_back(captured);
    if (captured.peak_bytes > lender().peak_bytes) lender_ = captured_.size() - 1;
    const Bytes lent = scratch_segments(lender());
    outgrown_ = outgrown_ || std::any_of(captured_.begin(), captured_.end(), [&](const CapturedSize& other) {
                    return scratch_segments(other) > lent || unlike(other.nodes, lender().nodes);
                });
}

}  // namespace graphplan
