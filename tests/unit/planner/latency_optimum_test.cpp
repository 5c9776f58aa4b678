#include "planner/latency_optimum.hpp"

#include "catch.hpp"
#include "latency_reference.hpp"

namespace graphplan {
namespace {

struct Fixture {
    explicit Fixture(std::uint32_t seed, Outputs outputs = Outputs::per_graph)
        : timed(testing::random_timed(seed)),
          catalog(timed.costs, outputs),
          workload(catalog, timed.traffic),
          memory(catalog, {}),
          forced(catalog.items().size()),
          pools(catalog.pool_count()) {
        for (const WorkloadWalk& walk : workload.walks())
            pools[walk.pool].emplace_back(workload, walk, forced);
    }
    testing::TimedCosts timed;
    Catalog catalog;
    Workload workload;
    LatencyMemory memory;
    std::vector<bool> forced;
    LatencyOptimum::Pools pools;
};

}  // namespace

TEST_CASE("The optimum of all pools is what trying every set finds") {
    for (std::uint32_t seed = 5000; seed < 5200; ++seed) {
        CAPTURE(seed);
        PlanOptions options;
        if (seed >= 5100) options.outputs = Outputs::shared;
        const Fixture fixture(seed, options.outputs);
        const Units room = seed % 20;
        const LatencyOptimum optimum(fixture.memory, fixture.pools, room);
        REQUIRE(optimum.is_small());
        const LatencyChoice choice = optimum.choose();
        CHECK(choice.lower_us == Approx(*testing::least_time(fixture.timed, options, room * kSegment)));
        CHECK(fixture.workload.time(choice.captured) == Approx(choice.lower_us));
        CHECK(fixture.memory.total(choice.captured) <= room);
    }
}

TEST_CASE("Tables for terabytes are not small") {
    const Fixture fixture(5000);
    CHECK_FALSE(LatencyOptimum(fixture.memory, fixture.pools, Units{1} << 40).is_small());
}

TEST_CASE("The limits of scratch are none and each bucket's, ascending") {
    const Fixture fixture(5001);
    const std::vector<Units> limits = scratch_limits(fixture.memory, fixture.pools[0]);
    REQUIRE(limits.size() > 1);
    CHECK(limits.front() == 0);
    CHECK(std::is_sorted(limits.begin(), limits.end()));
    CHECK(std::adjacent_find(limits.begin(), limits.end()) == limits.end());
}

}  // namespace graphplan
