#include "planner/latency_memory.hpp"

#include "catch.hpp"
#include "latency_reference.hpp"

namespace graphplan {

TEST_CASE("Units are what the plain rule says, with and without reuse") {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        const testing::TimedCosts timed = testing::random_timed(seed);
        PlanOptions options;
        if (seed % 5 < 2) options.outputs = Outputs::shared;
        const Catalog catalog(timed.costs, options.outputs);
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

TEST_CASE("a bucket adds to a buffer of some slots what it needs beyond those before") {
    const auto kept = [](std::int64_t size, Bytes bytes) {
        return testing::bucket("decode", size, 0, bytes, bytes);
    };
    const Costs costs = testing::costs_of({{"llm", {kept(2, 5 * kMiB), kept(1, kMiB)}}}, kGiB);
    const Catalog shared(costs, Outputs::shared), own(costs);
    const LatencyMemory memory(shared, {});
    CHECK(memory.kept(0) == 0);
    CHECK(memory.growth(0, 1, 0) == 3);
    CHECK(memory.growth(0, 3, kMiB) == 8 - 2);
    CHECK(memory.growth(1, 3, 5 * kMiB) == 0);
    CHECK(LatencyMemory(own, {}).kept(0) == 3);
    CHECK(LatencyMemory(own, {}).growth(0, 1, 0) == 0);
}

}  // namespace graphplan
