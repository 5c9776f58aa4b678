#include "planner/latency_memory.hpp"

#include "catch.hpp"
#include "latency_reference.hpp"

namespace graphplan {

TEST_CASE("Units are what the plain rule says, with and without reuse") {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        const testing::TimedCosts timed = testing::random_timed(seed);
        const Catalog catalog(timed.costs);
        PlanOptions options;
        options.same_process = seed % 2 == 0;
        if (seed % 3 == 0) options.reusable_bytes = static_cast<Bytes>(seed % 7) * kMiB;
        const LatencyMemory memory(catalog, {options.same_process, options.reusable_bytes});
        std::set<testing::Place> places;
        std::vector<bool> captured(catalog.items().size());
        CHECK(memory.total(captured) == 0);
        for (ItemIndex item = 0; item < captured.size(); ++item) {
            if (!catalog[item].cost->graph_bytes) continue;
            captured[item] = true;
            places.insert({catalog[item].pool, catalog[item].index});
            CHECK(memory.total(captured) == testing::reference_units(timed.costs, options, places));
        }
    }
}

TEST_CASE("What is no multiple of 2 MiB is rounded up, held memory down") {
    BucketCost cost = testing::bucket("decode", 1, 0, 3 * kMiB, 0);
    cost.outside_bytes = 1;
    cost.slots = 2;
    Costs costs = testing::costs_of({{"llm", {cost}}}, kGiB);
    costs.walks.push_back(testing::held_by("llm", "decode", 2 * kMiB - 1));
    const Catalog catalog(costs);
    const LatencyMemory memory(catalog, {true, std::nullopt});
    CHECK(memory.kept(0) == 0);
    CHECK(memory.scratch(0) == 2);
    CHECK(memory.outside(0) == 1);
    CHECK(memory.most_reuse() == 0);
}

}  // namespace graphplan
