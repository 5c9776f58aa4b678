#include "planner/exact_search.hpp"

#include "catch.hpp"
#include "planner/checked.hpp"
#include "reference_planner.hpp"

namespace graphplan {

TEST_CASE("what a bucket costs is what taking it costs, offered or not") {
    for (std::uint32_t seed = 1000; seed < 1100; ++seed) {
        CAPTURE(seed);
        const Costs costs = testing::random_costs(seed, true);
        const Catalog catalog(costs, seed % 3 == 0 ? Outputs::shared : Outputs::per_graph);
        const CaptureOrder order(catalog);
        const Reuse reuse{seed % 2 == 0, 3 * kMiB};
        ExactSearch offered(catalog, reuse, order);
        ExactSearch forced(catalog, reuse, order);
        for (ItemIndex item = 0; item < catalog.items().size(); ++item) {
            if (catalog[item].cost->graph_bytes) offered.offer(item);
        }
        while (const auto choice = offered.take_cheapest(kMaxBytes)) {
            REQUIRE(forced.cost(choice->item) == choice->cost);
            REQUIRE(forced.take(choice->item) == choice->cost);
        }
        for (std::uint32_t pool = 0; pool < catalog.pool_count(); ++pool) {
            REQUIRE(offered.figures(pool).predicted == forced.figures(pool).predicted);
            REQUIRE(offered.figures(pool).outside == forced.figures(pool).outside);
            REQUIRE(offered.predicted_ascending(pool) == forced.predicted_ascending(pool));
        }
    }
}

TEST_CASE("traces too long to replay are refused, not run for ever") {
    BucketCost cost = testing::bucket("decode", 1, 0, 0, 0);
    cost.slots = std::int64_t{1} << 40;
    cost.trace = 0;
    Costs costs = testing::costs_of({{"llm", {cost}}}, 0);
    costs.traces.push_back({{true, EventTag::none, 0, 100}, {false, EventTag::none, 0, 0}});
    const Catalog catalog(costs);
    const CaptureOrder order(catalog);
    CHECK_THROWS_AS(ExactSearch(catalog, {}, order), Error);
}

}  // namespace graphplan
