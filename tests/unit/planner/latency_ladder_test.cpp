#include "planner/latency_ladder.hpp"

#include <functional>

#include "catch.hpp"
#include "latency_reference.hpp"

namespace graphplan {
namespace {

/// Calls with the buckets and the time of every path.
void each_path(const LadderGraph& graph, const std::function<void(const std::vector<bool>&, double)>& call,
               std::size_t items) {
    const std::function<void(std::size_t, std::vector<bool>, double)> back =
        [&](std::size_t node, std::vector<bool> taken, double us) {
            if (node == 0) return call(taken, us);
            for (const LadderGraph::Arc& arc : graph.nodes()[node].arcs) {
                std::vector<bool> with = taken;
                with[graph.items()[arc.item]] = true;
                back(arc.from, with, us + arc.us);
            }
        };
    for (std::size_t node = 0; node < graph.nodes().size(); ++node) {
        if (graph.nodes()[node].may_end) back(node, std::vector<bool>(items), graph.nodes()[node].tail_us);
    }
}

}  // namespace

TEST_CASE("Every path takes the time that its buckets take, and holds the forced ones") {
    std::size_t paths = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        const testing::TimedCosts timed = testing::random_timed(seed);
        const Catalog catalog(timed.costs);
        const Workload workload(catalog, timed.traffic);
        for (const WorkloadWalk& walk : workload.walks()) {
            std::vector<bool> forced(catalog.items().size());
            const ItemIndex first = walk.items[seed % walk.items.size()];
            forced[first] = catalog[first].cost->graph_bytes && seed % 3 == 0;
            const LadderGraph graph(workload, walk, forced);
            REQUIRE(graph.is_exact());
            each_path(
                graph,
                [&](const std::vector<bool>& taken, double us) {
                    ++paths;
                    REQUIRE(us == Approx(workload.time(walk, taken)));
                    REQUIRE((!forced[first] || taken[first]));
                },
                catalog.items().size());
        }
    }
    CHECK(paths > 1000);
}

TEST_CASE("A ladder in one dimension has one node for each bucket") {
    testing::TimedCosts timed;
    timed.costs.pools.push_back({"llm", {}});
    for (int bs = 1; bs <= 20; ++bs) {
        BucketCost cost = testing::bucket("decode", bs, 0, 0, 0);
        cost.eager_us = cost.replay_us = TimeSummary{};
        timed.costs.pools[0].buckets.push_back(cost);
        timed.traffic.steps.push_back({std::nullopt, cost.id, 1});
    }
    const Catalog catalog(timed.costs);
    const Workload workload(catalog, timed.traffic);
    const std::vector<bool> forced(20);
    const LadderGraph graph(workload, workload.walks()[0], forced);
    CHECK(graph.nodes().size() == 21);
    CHECK(graph.arc_count() == 20 * 21 / 2);
    CHECK_FALSE(LadderGraph(workload, workload.walks()[0], forced, 10).is_exact());
}

TEST_CASE("What the captured buckets' outputs need sets nodes apart, where larger buckets need less") {
    testing::TimedCosts timed;
    timed.costs.pools.push_back({"llm", {}});
    for (int bs = 1; bs <= 3; ++bs) {
        BucketCost cost = testing::bucket("decode", bs, 0, 9 * kKiB, bs * 2 * kKiB);
        cost.eager_us = cost.replay_us = TimeSummary{};
        timed.costs.pools[0].buckets.push_back(cost);
        timed.traffic.steps.push_back({std::nullopt, cost.id, 1});
    }
    const auto needs_of_last = [&] {
        const Catalog catalog(timed.costs, Outputs::shared);
        const Workload workload(catalog, timed.traffic);
        const LadderGraph graph(workload, workload.walks()[0], std::vector<bool>(3));
        std::vector<Bytes> needs;
        for (const LadderGraph::Node& node : graph.nodes()) {
            if (!node.arcs.empty() && node.arcs.front().item == 2) needs.push_back(node.slot_bytes);
        }
        return needs;
    };
    CHECK(needs_of_last() == std::vector<Bytes>{6 * kKiB});
    timed.costs.pools[0].buckets[0].kept_bytes = 8 * kKiB;
    CHECK(needs_of_last() == std::vector<Bytes>{6 * kKiB, 8 * kKiB});
    const Catalog catalog(timed.costs, Outputs::shared);
    const Workload workload(catalog, timed.traffic);
    const LadderGraph merged(workload, workload.walks()[0], std::vector<bool>(3), 2);
    CHECK(merged.nodes().back().slot_bytes == 8 * kKiB);
}

}  // namespace graphplan
