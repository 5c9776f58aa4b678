#include "sim/neighbours.hpp"

#include <cstdlib>
#include <vector>

#include "catch.hpp"

using namespace graphplan;
using namespace graphplan::sim;

namespace {

std::vector<Bytes> walk(std::uint64_t seed, Bytes most) {
    DeviceMemory memory(8 * kGiB, 0, kGiB);
    Neighbours neighbours(seed, most);
    std::vector<Bytes> readings;
    for (int i = 0; i < 500; ++i) {
        neighbours.move(memory);
        readings.push_back(memory.free_bytes());
        CHECK(memory.process_bytes() == 0);
    }
    return readings;
}

}  // namespace

TEST_CASE("neighbours walk up and down by no more than they may") {
    std::vector<Bytes> readings = walk(1, 10 * kMiB);
    Bytes largest = 0;
    bool rose = false;
    bool fell = false;
    for (std::size_t i = 1; i < readings.size(); ++i) {
        Bytes step = readings[i] - readings[i - 1];
        largest = std::max(largest, std::abs(step));
        rose = rose || step > 0;
        fell = fell || step < 0;
    }
    CHECK(rose);
    CHECK(fell);
    CHECK(largest <= 10 * kMiB);
    CHECK(largest > 8 * kMiB);
}

TEST_CASE("a seed is a walk") {
    CHECK(walk(3, 10 * kMiB) == walk(3, 10 * kMiB));
    CHECK(walk(3, 10 * kMiB) != walk(4, 10 * kMiB));
}

TEST_CASE("no neighbours, no movement") { CHECK(walk(3, 0) == std::vector<Bytes>(500, 7 * kGiB)); }
