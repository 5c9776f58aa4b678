#include "planner/latency_workload.hpp"

#include "catch.hpp"
#include "reference_planner.hpp"

namespace graphplan {
namespace {

BucketCost timed(std::int64_t bs, std::int64_t tokens, double eager, double replay) {
    BucketCost cost = testing::bucket("decode", bs, 0, 0, 0);
    cost.id.tokens = tokens;
    cost.eager_us = TimeSummary{};
    cost.eager_us->median = eager;
    cost.replay_us = TimeSummary{};
    cost.replay_us->median = replay;
    return cost;
}

TrafficStep step(std::int64_t bs, std::int64_t tokens, double weight) {
    return {std::nullopt, {"decode", std::nullopt, bs, tokens}, weight};
}

/// 4×100, 8×50, 8×100: in two dimensions.
Costs packed() {
    return testing::costs_of({{"llm", {timed(8, 100, 90, 30), timed(4, 100, 80, 20), timed(8, 50, 70, 10)}}},
                             kGiB);
}

}  // namespace

TEST_CASE("a step replays the captured bucket with the fewest tokens that fits, else runs eagerly") {
    const Costs costs = packed();
    const Catalog catalog(costs);
    const Workload workload(catalog, {{step(3, 40, 1), step(6, 60, 2), step(9, 10, 5), step(3, 40, 1)}, "t"});
    REQUIRE(workload.walks().size() == 1);
    CHECK(workload.walks()[0].steps.size() == 2);
    CHECK(workload.weight() == 4);
    CHECK(workload.time({false, false, false}) == 2 * 70 + 2 * 90);
    CHECK(workload.time({false, false, true}) == 2 * 10 + 2 * 90);
    CHECK(workload.time({true, true, false}) == 2 * 20 + 2 * 30);
    std::vector<bool> captured{true, false, false};
    CHECK(workload.change(2, captured) == 2 * 10 - 2 * 30);
    CHECK(captured == std::vector<bool>{true, false, false});
    const Expected expected = workload.expected({false, false, true});
    CHECK(expected.step_us == 50);
    CHECK(expected.hit_rate == 0.5);
    CHECK(expected.padding_waste == 0.2);
    CHECK(expected.beyond_ladder_weight == 5);
    CHECK_FALSE(expected.gap);
}

TEST_CASE("a region's step runs on the smallest batch size that fits, or eagerly") {
    Costs costs = packed();
    for (BucketCost& cost : costs.pools[0].buckets) cost.region = "decode";
    const Catalog catalog(costs);
    const Workload workload(catalog, {{step(3, 40, 1)}, "t"});
    CHECK(workload.time({true, false, true}) == 80);
    CHECK(workload.time({false, true, false}) == 20);
}

TEST_CASE("an unnamed pool must be the only one with the walk") {
    Costs costs = packed();
    costs.pools.push_back({"other", costs.pools[0].buckets});
    const Catalog catalog(costs);
    Traffic traffic{{step(1, 1, 1)}, "t.json"};
    CHECK_THROWS_WITH(Workload(catalog, traffic), ContainsSubstring("t.json: /steps/0: 2 pools have a walk"));
    traffic.steps[0].pool = "other";
    CHECK(Workload(catalog, traffic).walks()[0].pool == 1);
    traffic.steps[0].pool = "othre";
    CHECK_THROWS_WITH(Workload(catalog, traffic),
                      ContainsSubstring("no pool \"othre\"") && ContainsSubstring("other"));
}

TEST_CASE("steps of a key that no bucket has lie beyond the ladder, and alone are an error") {
    const Costs costs = packed();
    const Catalog catalog(costs);
    TrafficStep keyed = step(1, 1, 3);
    keyed.shape.key = "cfg";
    CHECK(
        Workload(catalog, {{keyed, step(1, 1, 1)}, "t"}).expected({true, true, true}).beyond_ladder_weight ==
        3);
    CHECK_THROWS_WITH(Workload(catalog, {{keyed}, "t"}), ContainsSubstring("no step fits any bucket"));
}

}  // namespace graphplan
