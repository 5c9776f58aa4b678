#include "planner/output_buffers.hpp"

#include "catch.hpp"
#include "reference_planner.hpp"

namespace graphplan {
namespace {

BucketCost kept(const std::string& walk, std::int64_t size, Bytes bytes, std::int64_t slots) {
    BucketCost cost = testing::bucket(walk, size, 0, bytes, bytes);
    cost.slots = slots;
    return cost;
}

}  // namespace

TEST_CASE("a walk's buffer grows by what a bucket needs beyond it, and never shrinks") {
    BucketCost region = kept("vit", 1, 9 * kMiB, 1);
    region.region = "vit";
    BucketCost keyed = kept("decode", 1, 3 * kMiB, 1);
    keyed.id.key = "cfg";
    const Costs costs =
        testing::costs_of({{"p", {kept("decode", 4, 7 * kMiB, 1), kept("decode", 2, kMiB, 3), region, keyed}},
                           {"q", {kept("decode", 4, 5 * kMiB, 2)}}},
                          0);
    const Catalog catalog(costs, Outputs::shared);
    OutputBuffers buffers(catalog);
    CHECK(buffers.growth(1) == 4 * kMiB);
    buffers.take(1);
    CHECK(buffers.growth(0) == 22 * kMiB - 4 * kMiB);
    CHECK_FALSE(buffers.holds(catalog[0]));
    buffers.take(0);
    CHECK(buffers.holds(catalog[1]));
    CHECK(buffers.growth(1) == 0);
    CHECK(buffers.growth(2) == 0);
    CHECK(buffers.growth(3) == 4 * kMiB);
    CHECK(buffers.of_walk(catalog[0].walk) == BufferSize{3, 7 * kMiB});
    CHECK(buffers.of_pool(0) == 22 * kMiB);
    CHECK(buffers.of_pool(1) == 0);
    buffers.take(4);
    CHECK(buffers.of_pool(1) == 10 * kMiB);
}

TEST_CASE("graphs that keep their own outputs share no buffer") {
    const Costs costs = testing::costs_of({{"p", {kept("decode", 4, 7 * kMiB, 1)}}}, 0);
    const Catalog catalog(costs);
    OutputBuffers buffers(catalog);
    CHECK(buffers.holds(catalog[0]));
    buffers.take(0);
    CHECK(buffers.of_pool(0) == 0);
}

}  // namespace graphplan
