#include "planner/latency_table.hpp"

#include "catch.hpp"
#include "latency_reference.hpp"

namespace graphplan {

TEST_CASE("A shifted table has as much more memory used, and nothing below it") {
    TimesByMemory times(1, 3, 7);
    const TimesByMemory shifted = times.shifted(2);
    CHECK(shifted.by_reuse[0] == std::vector<double>{TimesByMemory::kNever, TimesByMemory::kNever, 7, 7});
    CHECK(times.shifted(9).by_reuse[0] == std::vector<double>(4, TimesByMemory::kNever));
}

TEST_CASE("A traced table's buckets take the time and no more memory than the table says") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        const testing::TimedCosts timed = testing::random_timed(seed);
        const Catalog catalog(timed.costs, seed % 2 == 0 ? Outputs::per_graph : Outputs::shared);
        const Workload workload(catalog, timed.traffic);
        const WorkloadWalk& walk = workload.walks()[0];
        const LatencyMemory memory(catalog, {seed % 3 == 0, std::nullopt});
        const std::vector<bool> forced(catalog.items().size());
        const LadderGraph graph(workload, walk, forced);
        LadderTable table(memory, graph);
        const Units room = 12, scratch = seed % 4;
        const TimesByMemory start(1, room, 100);
        const TimesByMemory times = table.run(start, scratch);
        for (Units units = 0; units <= room; ++units) {
            std::vector<bool> captured(catalog.items().size());
            const MemoryPoint from = table.trace(start, {0, units}, captured);
            REQUIRE(from.units >= 0);
            REQUIRE(100 + workload.time(walk, captured) ==
                    Approx(times.by_reuse[0][static_cast<std::size_t>(units)]));
            Units scratches = 0;
            for (ItemIndex item = 0; item < captured.size(); ++item) {
                if (!captured[item]) continue;
                REQUIRE(memory.scratch(item) <= scratch);
                scratches = std::max(scratches, memory.scratch(item));
            }
            REQUIRE(memory.total(captured) - scratches == units - from.units);
        }
    }
}

}  // namespace graphplan
