#include "planner/latency_relaxation.hpp"

#include "catch.hpp"
#include "latency_reference.hpp"

namespace graphplan {
namespace {

/// With so few arcs nearly all of a packed ladder's nodes are merged.
constexpr std::size_t kFewArcs = 2;

void check_bounds(std::size_t most_arcs, std::size_t least_proven, Outputs outputs) {
    std::size_t proven = 0;
    for (std::uint32_t seed = 0; seed < 1000; ++seed) {
        CAPTURE(seed, most_arcs);
        const testing::TimedCosts timed = testing::random_timed(seed);
        PlanOptions options;
        options.outputs = outputs;
        options.same_process = seed % 2 == 0;
        const Catalog catalog(timed.costs, outputs);
        const Workload workload(catalog, timed.traffic);
        const LatencyMemory memory(catalog, {options.same_process, std::nullopt});
        const std::vector<bool> forced(catalog.items().size());
        LatencyRelaxation::Pools pools(catalog.pool_count());
        for (const WorkloadWalk& walk : workload.walks()) {
            pools[walk.pool].emplace_back(workload, walk, forced, most_arcs);
        }
        const Units room = seed % 25;
        const LatencyChoice choice = LatencyRelaxation(workload, memory, pools, forced, room).choose();
        const double least = *testing::least_time(timed, options, room * kSegment);
        REQUIRE(memory.total(choice.captured) <= room);
        REQUIRE(choice.lower_us <= least * (1 + 1e-9));
        REQUIRE(workload.time(choice.captured) >= least * (1 - 1e-9));
        proven += choice.lower_us >= workload.time(choice.captured) * (1 - 1e-9);
    }
    CHECK(proven >= least_proven);
}

}  // namespace

TEST_CASE("A price on memory bounds every set from below and finds sets that fit") {
    check_bounds(1000, 200, Outputs::per_graph);
    check_bounds(1000, 200, Outputs::shared);
}

TEST_CASE("Merged nodes still bound every set from below") {
    check_bounds(kFewArcs, 100, Outputs::per_graph);
    check_bounds(kFewArcs, 100, Outputs::shared);
}

TEST_CASE("Slots of many kinds are taken together, and still bound every set from below") {
    testing::TimedCosts timed;
    timed.costs = testing::costs_of({{"llm", {}}}, 0);
    for (std::int64_t size = 1; size <= 12; ++size) {
        BucketCost cost = testing::bucket("decode", size, 0, size * kMiB, size * kMiB);
        cost.slots = 1 + size * 7 % 12;
        cost.eager_us = cost.replay_us = TimeSummary{};
        cost.eager_us->median = 1000;
        cost.replay_us->median = 10.0 * static_cast<double>(size);
        timed.costs.pools[0].buckets.push_back(cost);
        timed.traffic.steps.push_back({std::nullopt, cost.id, static_cast<double>(1 + size * 5 % 7)});
    }
    PlanOptions options;
    options.outputs = Outputs::shared;
    const Catalog catalog(timed.costs, options.outputs);
    const Workload workload(catalog, timed.traffic);
    const LatencyMemory memory(catalog, {});
    const std::vector<bool> forced(12);
    LatencyRelaxation::Pools pools(1);
    pools[0].emplace_back(workload, workload.walks()[0], forced, 1000);
    for (Units room = 0; room < 80; room += 3) {
        CAPTURE(room);
        const LatencyChoice choice = LatencyRelaxation(workload, memory, pools, forced, room).choose();
        const double least = *testing::least_time(timed, options, room * kSegment);
        CHECK(memory.total(choice.captured) <= room);
        CHECK(choice.lower_us <= least * (1 + 1e-9));
        CHECK(workload.time(choice.captured) >= least * (1 - 1e-9));
    }
}

}  // namespace graphplan
