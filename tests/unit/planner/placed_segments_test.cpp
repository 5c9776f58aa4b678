#include "planner/placed_segments.hpp"

#include "catch.hpp"

namespace graphplan {

TEST_CASE("segments lie where the recording says, in order, then below everything") {
    PlacedSegments segments;
    segments.expect({{1000 * kMiB, 2 * kMiB}, {500 * kMiB, 20 * kMiB}});
    const Address first = segments.allocate(2 * kMiB);
    const Address second = segments.allocate(20 * kMiB);
    CHECK(first - second == 500 * kMiB);
    const Address third = segments.allocate(2 * kMiB);
    CHECK(third + 2 * kMiB <= second);
    segments.expect({});
    CHECK(segments.allocate(4 * kMiB) == third - 4 * kMiB);
    CHECK(segments.mismatches() == 0);
}

TEST_CASE("a segment of another size lies below everything and is counted") {
    PlacedSegments segments;
    segments.expect({{0, 2 * kMiB}, {40 * kMiB, 2 * kMiB}});
    const Address first = segments.allocate(20 * kMiB);
    CHECK(segments.mismatches() == 1);
    CHECK(segments.allocate(2 * kMiB) == first + 60 * kMiB);
    CHECK(segments.reserve() == first - SegmentSource::kReservedBytes);
}

TEST_CASE("addresses run out as memory does") {
    PlacedSegments segments;
    segments.allocate(Bytes{1} << 61);
    CHECK_THROWS_AS(segments.allocate(Bytes{1} << 61), Error);
}

}  // namespace graphplan
