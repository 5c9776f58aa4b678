#include "planner/plan_writer.hpp"

#include "catch.hpp"
#include "reference_planner.hpp"

namespace graphplan {

TEST_CASE("pools stand in the costs' order, captures in capture order, the rest in sizing order") {
    using testing::bucket;
    BucketCost region = bucket("vit", 2, 0, 3 * kMiB, 0);
    region.region = "vit";
    region.slots = 2;
    const Costs costs = testing::costs_of({{"z", {}},
                                           {"a",
                                            {bucket("d", 8, 0, 900 * kMiB, 0), bucket("d", 1, 0, kMiB, 0),
                                             region, bucket("d", 4, 0, std::nullopt, 0)}}},
                                          0);
    const std::vector<Catalog> catalogs{Catalog(costs)};
    std::deque<RankChoice> ranks;
    Budget budget;
    budget.free_bytes = budget.room_bytes = 10 * kMiB;
    ranks.emplace_back(catalogs[0], RankRules{}, budget);
    ranks[0].choose(std::vector<bool>(4));
    const JointBuckets joint(catalogs);
    PlanWriter writer(ranks, joint, RankRules{});
    const Plan plan = writer.write();
    REQUIRE(plan.pools.size() == 2);
    CHECK(plan.pools[0].name == "z");
    const PoolPlan& pool = plan.pools[1];
    REQUIRE(pool.captures.size() == 2);
    CHECK(pool.captures[0].region == "vit");
    CHECK(pool.captures[0].slots == 2);
    CHECK(pool.captures[0].chosen == 1);
    CHECK(pool.captures[1].chosen == 0);
    REQUIRE(pool.eager.size() == 2);
    CHECK(pool.eager[0].id.bs == 8);
    CHECK(pool.eager[1].id.bs == 4);
    CHECK(plan.ranks.empty());
    CHECK(plan.budget.room_left_bytes == 7 * kMiB);
    CHECK(writer.warnings().empty());
}

TEST_CASE("buffers stand in sizing order, each as large as any rank's captured buckets need") {
    const auto kept = [](const std::string& walk, std::int64_t size, Bytes bytes) {
        return testing::bucket(walk, size, 0, bytes, bytes);
    };
    BucketCost region = kept("vit", 2, 3 * kMiB);
    region.region = "vit";
    std::vector<Costs> ranks(
        2, testing::costs_of({{"a",
                               {kept("prefill", 8, 900 * kMiB), kept("prefill", 4, kMiB),
                                kept("decode", 9, 0), region, kept("decode", 4, 100), kept("text", 1, 0)}}},
                             30 * kMiB));
    ranks[1].pools[0].buckets[1].kept_bytes = *(ranks[1].pools[0].buckets[1].graph_bytes = 5 * kMiB);
    ranks[1].pools[0].buckets[4].slots = 2;
    PlanOptions options;
    options.outputs = Outputs::shared;
    const Plan plan = make_plan(ranks, options).plan;
    CHECK(plan.outputs == Outputs::shared);
    CHECK(plan.pools[0].output_buffers ==
          std::vector<OutputBuffer>{{"prefill", std::nullopt, 1, 5 * kMiB, 6 * kMiB},
                                    {"decode", std::nullopt, 2, 512, 2 * kMiB}});
    CHECK(plan.pools[0].predicted_bytes == (6 + 2 + 4) * kMiB);

    // Each rank needs much of another walk: the plan's buffers hold for both, and its pool holds them.
    std::vector<Costs> unlike(
        2, testing::costs_of({{"a", {kept("a", 1, 100 * kMiB), kept("b", 1, 2 * kMiB)}}}, 1000 * kMiB));
    std::swap(unlike[1].pools[0].buckets[0].kept_bytes, unlike[1].pools[0].buckets[1].kept_bytes);
    std::swap(unlike[1].pools[0].buckets[0].graph_bytes, unlike[1].pools[0].buckets[1].graph_bytes);
    const PoolPlan both = make_plan(unlike, options).plan.pools[0];
    REQUIRE(both.output_buffers.size() == 2);
    CHECK(both.output_buffers[0].bytes == 100 * kMiB);
    CHECK(both.output_buffers[1].bytes == 100 * kMiB);
    CHECK(both.predicted_bytes == 200 * kMiB);

    ranks[0].pools[0].buckets[1].slots = std::int64_t{1} << 30;
    ranks[0].pools[0].buckets[1].kept_bytes = 0;
    ranks[1].pools[0].buckets[1].kept_bytes = *(ranks[1].pools[0].buckets[1].graph_bytes = Bytes{1} << 32);
    for (Costs& costs : ranks) costs.free_bytes_before = Bytes{1} << 60;
    CHECK_THROWS_AS(make_plan(ranks, options), Error);
}

}  // namespace graphplan
