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

}  // namespace graphplan
