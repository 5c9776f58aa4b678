#include "planner/latency_search.hpp"

#include "catch.hpp"
#include "latency_reference.hpp"

namespace graphplan {

TEST_CASE("A search leaves out what brings nothing, and takes forced buckets of walks without traffic") {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        const testing::TimedCosts timed = testing::random_timed(seed);
        const Catalog catalog(timed.costs);
        const Workload workload(catalog, timed.traffic);
        const LatencyMemory memory(catalog, {});
        std::vector<bool> forced(catalog.items().size());
        forced.back() = catalog.items().back().cost->graph_bytes.has_value();
        const LatencySearch search(workload, memory, forced);
        const Units room = memory.total(forced) + seed % 15;
        LatencyChoice choice = search.choose(room);
        CHECK(choice.captured.back() == forced.back());
        CHECK(memory.total(choice.captured) <= room);
        CHECK(search.most() >= memory.total(choice.captured));
        for (ItemIndex item = 0; item < forced.size(); ++item) {
            if (choice.captured[item] && !forced[item]) CHECK(workload.change(item, choice.captured) > 0);
        }
    }
}

}  // namespace graphplan
