#include "planner/buffer_size.hpp"

#include "catch.hpp"
#include "planner/checked.hpp"

namespace graphplan {

TEST_CASE("a buffer has as many slots as the most, each as large as the largest, in whole segments") {
    const BufferSize both = larger({2, 3 * kMiB}, {1, 5 * kMiB});
    CHECK(both == BufferSize{2, 5 * kMiB});
    CHECK(bytes_of(both) == 10 * kMiB);
    CHECK(bytes_of({1, 512}) == kSegment);
    CHECK(bytes_of({3, 0}) == 0);
    CHECK(bytes_of({}) == 0);
}

TEST_CASE("what no device has is not a size") {
    CHECK(checked_bytes({1, Bytes{1} << 61}) == Bytes{1} << 61);
    CHECK_FALSE(checked_bytes({1, (Bytes{1} << 61) + 512}));
    CHECK_FALSE(checked_bytes({std::int64_t{1} << 40, Bytes{1} << 30}));
    CHECK(checked_bytes({std::int64_t{1} << 53, 0}) == 0);
}

}  // namespace graphplan
