#include <set>

#include "catch.hpp"
#include "latency_reference.hpp"

namespace graphplan {
namespace {

std::set<PoolBucket> captured_at(const Costs& costs, PlanOptions options, Bytes free) {
    options.free_bytes = free;
    const Plan plan = make_plan(std::span<const Costs>(&costs, 1), options).plan;
    std::set<PoolBucket> captured;
    for (const PoolPlan& pool : plan.pools) {
        for (const PlannedCapture& capture : pool.captures) captured.insert({pool.name, capture.id});
    }
    return captured;
}

/// Every step's plan is the one that holds from there on, and differs just below.
std::size_t check_steps(const Costs& costs, const PlanOptions& options, const SweepRange& range,
                        Bytes grain) {
    const std::vector<SweepStep> steps = sweep(std::span<const Costs>(&costs, 1), options, range);
    REQUIRE_FALSE(steps.empty());
    CHECK(steps.front().free_bytes == range.from);
    std::set<PoolBucket> captured;
    std::size_t at = 0;
    for (const SweepStep& step : steps) {
        for (const PoolBucket& bucket : step.dropped) CHECK(captured.erase(bucket) == 1);
        for (const PoolBucket& bucket : step.added) CHECK(captured.insert(bucket).second);
        CHECK(captured.size() == step.captured);
        CHECK(captured == captured_at(costs, options, step.free_bytes));
        CHECK(step.free_bytes <= range.to);
    }
    // Looking at every budget finds no more changes.
    captured.clear();
    for (Bytes free = range.from; free <= range.to; free += grain) {
        while (at < steps.size() && steps[at].free_bytes <= free) {
            for (const PoolBucket& bucket : steps[at].dropped) captured.erase(bucket);
            captured.insert(steps[at].added.begin(), steps[at].added.end());
            ++at;
        }
        CHECK(captured == captured_at(costs, options, free));
    }
    return steps.size();
}

}  // namespace

TEST_CASE("A sweep finds every budget at which the plan by count changes") {
    std::size_t steps = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        PlanOptions options;
        options.memory_model = MemoryModel::segments;
        options.same_process = seed % 2 == 0;
        steps +=
            check_steps(testing::random_costs(seed, false), options, {kMiB, 160 * kMiB, 37 * kMiB}, kMiB / 2);
    }
    CHECK(steps > 200);
}

TEST_CASE("A sweep finds every budget at which the fastest plan changes") {
    std::size_t steps = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        const testing::TimedCosts timed = testing::random_timed(seed);
        PlanOptions options;
        options.objective = Objective::latency;
        options.traffic = timed.traffic;
        steps += check_steps(timed.costs, options, {0, 80 * kMiB, 29 * kMiB}, kMiB / 2);
    }
    CHECK(steps > 150);
}

TEST_CASE("A sweep's changes are exact to the byte, and the next bucket's lack leads to them") {
    const BucketCost small = testing::bucket("decode", 1, 100, 3, 0);
    const BucketCost large = testing::bucket("decode", 2, 100, 1003, 0);
    const Costs costs = testing::costs_of({{"llm", {large, small}}}, 0);
    const auto steps = sweep(std::span<const Costs>(&costs, 1), {}, {0, 5000, 5000});
    REQUIRE(steps.size() == 4);
    CHECK_FALSE(steps[0].floor_fits);
    CHECK(steps[1].free_bytes == 100);
    CHECK(steps[1].floor_fits);
    CHECK(steps[2].free_bytes == 103);
    CHECK(steps[2].next == PoolBucket{"llm", large.id});
    CHECK(steps[2].next_short_bytes == 1000);
    CHECK(steps[3].free_bytes == 1103);
    CHECK(steps[3].used_bytes == 1003);
    CHECK_FALSE(steps[3].next);
}

TEST_CASE("A sweep says where a demanded bucket is not in, and ends where every graph is") {
    const BucketCost small = testing::bucket("decode", 1, 100, 3, 0);
    const BucketCost large = testing::bucket("decode", 2, 100, 1003, 0);
    const Costs costs = testing::costs_of({{"llm", {large, small}}}, 0);
    PlanOptions options;
    options.must = {{"decode", 2, std::nullopt}};
    // As many looks as there may be: each past the last change would plan the same again.
    const auto steps = sweep(std::span<const Costs>(&costs, 1), options, {0, 90'000'000, 1000});
    REQUIRE(steps.size() >= 3);
    CHECK_FALSE(steps[1].demands_met);
    CHECK(steps.back().demands_met);
    CHECK(steps.back().captured == 2);
}

TEST_CASE("A sweep that leads nowhere is refused") {
    const Costs costs = testing::costs_of({{"llm", {}}}, 0);
    const std::span<const Costs> ranks(&costs, 1);
    CHECK_THROWS_WITH(sweep(ranks, {}, {5, 4, 1}), ContainsSubstring("up to another one"));
    CHECK_THROWS_WITH(sweep(ranks, {}, {0, 4, 0}), ContainsSubstring("more than 0"));
    CHECK_THROWS_WITH(sweep(ranks, {}, {0, kGiB, 1}), ContainsSubstring("larger steps"));
}

}  // namespace graphplan
