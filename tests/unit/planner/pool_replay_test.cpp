#include "planner/pool_replay.hpp"

#include "catch.hpp"
#include "reference_planner.hpp"

namespace graphplan {
namespace {

Costs with_traces(std::vector<EventTrace> traces) {
    PoolCosts pool{"llm", {}};
    for (std::size_t i = 0; i < traces.size(); ++i) {
        pool.buckets.push_back(testing::bucket("decode", static_cast<std::int64_t>(i) + 1, 0, 0, 0));
        pool.buckets.back().trace = i;
    }
    Costs costs = testing::costs_of({pool}, 0);
    costs.traces = std::move(traces);
    return costs;
}

Bytes run(const Costs& costs, std::vector<ItemIndex> order) {
    const Catalog catalog(costs);
    PoolReplay replay(catalog);
    for (const ItemIndex item : order) replay.prepare(item);
    return replay.run(order).value();
}

}  // namespace

TEST_CASE("a later graph reuses what an earlier one freed, and outputs stay") {
    const EventTrace output{{true, EventTag::output, 0, 30 * kMiB}};
    const EventTrace scratch{{true, EventTag::none, 0, 30 * kMiB}, {false, EventTag::none, 0, 0}};
    const Costs costs = with_traces({output, scratch});
    CHECK(run(costs, {0, 1}) == 60 * kMiB);
    CHECK(run(costs, {1, 0}) == 30 * kMiB);
}

TEST_CASE("the n-th workspace of a size is made only if the pool has fewer") {
    const TraceEvent workspace{true, EventTag::workspace, 0, 32 * kMiB};
    const TraceEvent second{true, EventTag::workspace, 1, 32 * kMiB};
    const TraceEvent freed{false, EventTag::none, 0, 0};
    const TraceEvent other{true, EventTag::workspace, 2, 64 * kMiB};
    const Costs costs = with_traces({{workspace, freed}, {workspace, second}, {workspace, other}});
    CHECK(run(costs, {0, 0}) == 32 * kMiB);
    CHECK(run(costs, {0, 1, 1}) == 64 * kMiB);
    CHECK(run(costs, {0, 1, 2}) == 128 * kMiB);
}

TEST_CASE("each slot is a capture of its own") {
    Costs costs = with_traces({{{true, EventTag::output, 0, 30 * kMiB}}});
    costs.pools[0].buckets[0].slots = 3;
    CHECK(run(costs, {0}) == 90 * kMiB);
}

TEST_CASE("a bucket without a trace cannot be replayed") {
    Costs costs = with_traces({{}});
    costs.pools[0].buckets[0].trace.reset();
    CHECK_THROWS_AS(run(costs, {0}), Error);
}

TEST_CASE("shared outputs lie outside the pool, a region's stay in its trace") {
    const EventTrace events{{true, EventTag::none, 0, 30 * kMiB},
                            {true, EventTag::output, 1, 22 * kMiB},
                            {false, EventTag::none, 0, 0}};
    Costs costs = with_traces({events, events});
    costs.pools[0].buckets[1].region = "vit";
    costs.pools[0].buckets[1].trace = 0;
    const Catalog catalog(costs, Outputs::shared);
    PoolReplay replay(catalog);
    for (const ItemIndex item : {0, 1}) replay.prepare(item);
    CHECK(replay.run(std::vector<ItemIndex>{0}) == 30 * kMiB);
    CHECK(replay.run(std::vector<ItemIndex>{1}) == 52 * kMiB);
    CHECK(replay.run(std::vector<ItemIndex>{0, 1}) == 52 * kMiB);
    CHECK(replay.run(std::vector<ItemIndex>{0, 0}) == 30 * kMiB);
}

}  // namespace graphplan
