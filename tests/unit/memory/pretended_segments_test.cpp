#include "catch.hpp"
#include "graphplan/memory.hpp"

namespace graphplan {

TEST_CASE("descending segments lie below each other, ascending ones above") {
    PretendedSegments down;
    const Address first = down.allocate(2 * kMiB);
    CHECK(down.allocate(4 * kMiB) == first - 4 * kMiB);
    PretendedSegments up(PretendedSegments::Direction::ascending);
    const Address lowest = up.allocate(2 * kMiB);
    CHECK(lowest > 0);
    CHECK(up.allocate(4 * kMiB) == lowest + 2 * kMiB);
}

TEST_CASE("addresses run out as memory does") {
    for (const auto direction :
         {PretendedSegments::Direction::descending, PretendedSegments::Direction::ascending}) {
        PretendedSegments segments(direction);
        segments.allocate(Bytes{1} << 61);
        try {
            segments.allocate(Bytes{1} << 61);
            FAIL("it was handed out");
        } catch (const Error& error) {
            CHECK(error.code() == ErrorCode::out_of_memory);
        }
    }
}

}  // namespace graphplan
