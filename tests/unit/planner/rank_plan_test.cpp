#include "planner/rank_plan.hpp"

#include "catch.hpp"
#include "reference_planner.hpp"

namespace graphplan {
namespace {

using testing::bucket;

Budget with_room(Bytes room) {
    Budget budget;
    budget.free_bytes = budget.room_bytes = budget.room_left_bytes = room;
    return budget;
}

}  // namespace

TEST_CASE("demanded buckets that do not fit take nothing") {
    const Costs costs = testing::costs_of(
        {{"p", {bucket("d", 2, 0, 4 * kMiB, 4 * kMiB), bucket("d", 1, 0, 2 * kMiB, 2 * kMiB)}}}, 0);
    const Catalog catalog(costs);
    RankChoice rank(catalog, {}, with_room(3 * kMiB));
    CHECK_FALSE(rank.choose({true, false}));
    CHECK(rank.choices().empty());
    CHECK(rank.budget().room_left_bytes == 3 * kMiB);
    CHECK(rank.total({true, true}) == 6 * kMiB);
    CHECK(rank.choose({false, false}));
    CHECK(rank.has(1));
    CHECK_FALSE(rank.has(0));
    CHECK(rank.budget().room_left_bytes == kMiB);
    CHECK(rank.reason(0).short_bytes == 3 * kMiB);
}

TEST_CASE("a bucket without a graph says why") {
    BucketCost resource = bucket("d", 2, 0, std::nullopt, 0);
    resource.failure = Failure{Failure::Kind::resource, "rng cannot capture"};
    BucketCost denied = bucket("d", 1, 0, std::nullopt, 0);
    denied.failure = Failure{Failure::Kind::denied, ""};
    denied.region = "vit";
    const Costs costs = testing::costs_of({{"p", {resource, denied}}}, 0);
    const Catalog catalog(costs);
    RankChoice rank(catalog, {}, with_room(0));
    rank.choose({false, false});
    CHECK(rank.reason(0).reason == EagerReason::not_captured);
    CHECK(rank.reason(0).detail == "rng cannot capture");
    CHECK_FALSE(rank.reason(0).needs_bytes);
    CHECK(rank.reason(1).reason == EagerReason::denied);
    CHECK_FALSE(rank.reason(1).detail);
    CHECK(rank.reason(1).region == "vit");
}

}  // namespace graphplan
