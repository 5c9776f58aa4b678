#include "planner/latency_relaxation.hpp"

#include "catch.hpp"
#include "latency_reference.hpp"

namespace graphplan {
namespace {

/// With so few arcs nearly all of a packed ladder's nodes are merged.
constexpr std::size_t kFewArcs = 2;

void check_bounds(std::size_t most_arcs, std::size_t least_proven) {
    std::size_t proven = 0;
    for (std::uint32_t seed = 0; seed < 1000; ++seed) {
        CAPTURE(seed, most_arcs);
        const testing::TimedCosts timed = testing::random_timed(seed);
        PlanOptions options;
        options.same_process = seed % 2 == 0;
        const Catalog catalog(timed.costs);
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
    check_bounds(1000, 200);
}

TEST_CASE("Merged nodes still bound every set from below") { check_bounds(kFewArcs, 100); }

}  // namespace graphplan
