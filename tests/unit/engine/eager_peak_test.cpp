#include "engine/eager_peak.hpp"

#include "catch.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

constexpr TraceEvent allocation(std::int64_t id, Bytes bytes, EventTag tag = EventTag::none) {
    return {true, tag, id, bytes};
}
constexpr TraceEvent freed(std::int64_t id) { return {false, EventTag::none, id, 0}; }

}  // namespace

TEST_CASE("a step's peak is in segments, its workspaces among them") {
    CHECK(eager_peak({}, {}) == 0);
    CHECK(eager_peak({allocation(0, 1)}, {}) == 2 * kMiB);
    CHECK(eager_peak({allocation(0, 3 * kMiB)}, {}) == 20 * kMiB);
    const EventTrace trace{allocation(0, 30 * kMiB), allocation(1, 32 * kMiB, EventTag::workspace), freed(0),
                           allocation(2, 30 * kMiB), freed(2)};
    CHECK(eager_peak(trace, {}) == 62 * kMiB);
    AllocatorOptions expandable;
    expandable.expandable_segments = true;
    CHECK(eager_peak(trace, expandable) == 80 * kMiB);  // 62 in whole pages of 20
}
