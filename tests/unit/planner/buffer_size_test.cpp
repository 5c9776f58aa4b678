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

TEST_CASE("a slot holds each output of a trace in whole 512 B, and sums never wrap") {
    const auto output = [](std::int64_t id, Bytes bytes) {
        return TraceEvent{true, EventTag::output, id, bytes};
    };
    CHECK(slot_bytes_of({output(1, 100), output(2, 513), {true, EventTag::none, 3, 4096}}) == 512 + 1024);
    CHECK(slot_bytes_of({}) == 0);
    CHECK(slot_bytes_of({output(1, 5), {false, EventTag::none, 1, 0}}) == 512);
    const Bytes huge = Bytes{1} << 62;
    CHECK(slot_bytes_of({output(1, huge), output(2, huge), output(3, huge)}) == huge);
}

TEST_CASE("what no device has is not a size") {
    CHECK(checked_bytes({1, Bytes{1} << 61}) == Bytes{1} << 61);
    CHECK_FALSE(checked_bytes({1, (Bytes{1} << 61) + 512}));
    CHECK_FALSE(checked_bytes({std::int64_t{1} << 40, Bytes{1} << 30}));
    CHECK(checked_bytes({std::int64_t{1} << 53, 0}) == 0);
}

}  // namespace graphplan
