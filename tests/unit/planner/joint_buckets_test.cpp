#include "planner/joint_buckets.hpp"

#include "catch.hpp"
#include "reference_planner.hpp"

namespace graphplan {

using testing::bucket;

TEST_CASE("buckets are matched by pool and shape, whatever the order on a rank") {
    const Costs first = testing::costs_of(
        {{"a", {bucket("d", 4, 0, 10, 0), bucket("d", 2, 0, 10, 0)}}, {"b", {bucket("d", 4, 0, 1, 0)}}}, 0);
    const Costs second = testing::costs_of(
        {{"c", {bucket("d", 1, 0, 1, 0)}}, {"a", {bucket("d", 2, 0, 30, 0), bucket("d", 9, 0, 1, 0)}}}, 0);
    std::vector<Catalog> ranks;
    ranks.emplace_back(first);
    ranks.emplace_back(second);
    const JointBuckets joint(ranks);
    REQUIRE(joint.pools().size() == 3);
    CHECK(joint.pools()[0].name == "a");
    CHECK(joint.pools()[2].name == "c");
    CHECK(joint.pools()[0].buckets.size() == 3);
    CHECK_FALSE(joint.pools()[2].at[0]);
    CHECK(joint.pools()[2].at[1] == 0U);
    CHECK(joint.size() == 5);
    const std::uint32_t two = joint.pools()[0].buckets[1];
    CHECK(joint.item(two, 0) == ItemIndex{1});
    CHECK(joint.item(two, 1) == ItemIndex{1});
    CHECK(joint.bucket(1, 1) == two);
    const std::uint32_t four = joint.pools()[0].buckets[0];
    CHECK_FALSE(joint.item(four, 1));
    CHECK_FALSE(joint.item(joint.pools()[0].buckets[2], 0));

    const std::vector<CaptureOrder> orders = joint.orders();
    CHECK(orders[0](1, 0));
    CHECK(orders[1](1, 2));
}

}  // namespace graphplan
