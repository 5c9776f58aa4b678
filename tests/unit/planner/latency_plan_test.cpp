#include "planner/latency_plan.hpp"

#include <cmath>
#include <random>

#include "catch.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/planner.hpp"
#include "latency_reference.hpp"

namespace graphplan {
namespace {

using testing::Place;
using testing::TimedCosts;

PlanOptions latency(const TimedCosts& timed, Bytes free) {
    PlanOptions options;
    options.free_bytes = free;
    options.objective = Objective::latency;
    options.traffic = timed.traffic;
    return options;
}

PlanResult plan_one(const Costs& costs, const PlanOptions& options) {
    return make_plan(std::span<const Costs>(&costs, 1), options);
}

std::set<Place> captured_places(const Costs& costs, const Plan& plan) {
    std::set<Place> places;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        for (const PlannedCapture& capture : plan.pools[pool].captures) {
            for (std::size_t i = 0; i < costs.pools[pool].buckets.size(); ++i) {
                if (costs.pools[pool].buckets[i].id == capture.id) places.insert({pool, i});
            }
        }
    }
    return places;
}

double weight_of(const TimedCosts& timed, const Plan& plan) {
    double weight = -plan.expected->beyond_ladder_weight;
    for (const TrafficStep& step : timed.traffic.steps) weight += step.weight;
    return weight;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); }

}  // namespace

TEST_CASE("latency: thousands of random cases come out as trying every set does") {
    std::size_t better_than_count = 0, shares = 0;
    for (std::uint32_t seed = 0; seed < 6000; ++seed) {
        CAPTURE(seed);
        const TimedCosts timed = testing::random_timed(seed);
        std::mt19937 random(seed);
        PlanOptions options = latency(timed, static_cast<Bytes>(random() % 60) * kMiB);
        options.memory_model = MemoryModel::segments;
        if (seed >= 3000) options.outputs = Outputs::shared;
        options.same_process = random() % 2 == 0;
        if (random() % 3 == 0) options.reusable_bytes = static_cast<Bytes>(random() % 9) * kMiB;
        const Plan plan = plan_one(timed.costs, options).plan;
        if (plan.budget.free_bytes < plan.budget.floor_bytes) continue;
        const std::set<Place> captured = captured_places(timed.costs, plan);
        REQUIRE(testing::reference_units(timed.costs, options, captured) <=
                plan.budget.room_bytes / kSegment);
        REQUIRE(plan.budget.room_left_bytes >= 0);
        const double best = *testing::least_time(timed, options, plan.budget.room_bytes);
        REQUIRE(near(testing::reference_time(timed, captured), best));
        REQUIRE(near(plan.expected->step_us * weight_of(timed, plan), best));
        REQUIRE(plan.expected->gap == 0.0);
        better_than_count += plan.expected->step_us < plan.expected_by_count->step_us * (1 - 1e-9);
        for (const PoolPlan& pool : plan.pools) shares += pool.output_buffers.size();
    }
    CHECK(better_than_count > 600);
    CHECK(shares > 1000);
}

TEST_CASE("latency: demanded buckets are in, and the rest is the best that fits beside them") {
    std::size_t met = 0;
    for (std::uint32_t seed = 0; seed < 600; ++seed) {
        CAPTURE(seed);
        const TimedCosts timed = testing::random_timed(seed);
        const BucketCost& first = timed.costs.pools[0].buckets[0];
        if (!first.graph_bytes) continue;
        PlanOptions options = latency(timed, 40 * kMiB);
        options.memory_model = MemoryModel::segments;
        if (seed % 2 == 0) options.outputs = Outputs::shared;
        options.must = {{first.id.walk, first.id.bs, first.id.tokens}};
        const PlanResult result = plan_one(timed.costs, options);
        const auto best = testing::least_time(timed, options, result.plan.budget.room_bytes, {{0, 0}});
        REQUIRE(result.unmet.empty() == best.has_value());
        if (!best) continue;
        ++met;
        const std::set<Place> captured = captured_places(timed.costs, result.plan);
        REQUIRE(captured.contains({0, 0}));
        REQUIRE(near(testing::reference_time(timed, captured), *best));
    }
    CHECK(met > 100);
}

TEST_CASE("latency: every bucket that stays eager has a reason that holds") {
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        const TimedCosts timed = testing::random_timed(seed);
        PlanOptions options = latency(timed, static_cast<Bytes>(seed % 50) * kMiB);
        options.memory_model = MemoryModel::segments;
        if (seed % 3 == 0) options.outputs = Outputs::shared;
        const Plan plan = plan_one(timed.costs, options).plan;
        const std::set<Place> captured = captured_places(timed.costs, plan);
        const double time = testing::reference_time(timed, captured);
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
            const auto& buckets = timed.costs.pools[pool].buckets;
            REQUIRE(plan.pools[pool].captures.size() + plan.pools[pool].eager.size() == buckets.size());
            for (const EagerBucket& eager : plan.pools[pool].eager) {
                std::set<Place> with = captured;
                for (std::size_t i = 0; i < buckets.size(); ++i) {
                    if (buckets[i].id == eager.id) with.insert({pool, i});
                }
                if (eager.reason == EagerReason::does_not_fit) {
                    REQUIRE(*eager.short_bytes > 0);
                    REQUIRE(testing::reference_time(timed, with) < time);
                } else if (eager.reason == EagerReason::not_worth_it) {
                    REQUIRE(testing::reference_time(timed, with) >= time * (1 - 1e-12));
                    REQUIRE(eager.detail);
                }
            }
        }
    }
}

TEST_CASE("latency: more memory never makes steps slower") {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        const TimedCosts timed = testing::random_timed(seed);
        double before = 1e300;
        for (Bytes mib = 4; mib < 80; mib += 6) {
            PlanOptions options = latency(timed, mib * kMiB);
            if (seed % 2 == 0) options.outputs = Outputs::shared;
            const double now = plan_one(timed.costs, options).plan.expected->step_us;
            REQUIRE(now <= before * (1 + 1e-9));
            before = now;
        }
    }
}

TEST_CASE("latency: more memory never makes steps slower on what an H200 measured, nor is a gap a guess") {
    const std::string root = GRAPHPLAN_SOURCE_DIR;
    TimedCosts timed;
    timed.costs = parse_costs(read_text(root + "/plans/measured/h200/llama-3.1-8b.costs.json.gz"), {});
    timed.traffic = parse_traffic(read_text(root + "/samples/llama-3.1-8b/traffic.json"), {});
    const Plan all = plan_one(timed.costs, latency(timed, 100 * kGiB)).plan;
    const double least = all.expected->step_us;
    const Bytes floor = round_up(all.budget.floor_bytes + all.budget.one_off_bytes, kMiB) / kMiB;
    const Outputs outputs = GENERATE(Outputs::per_graph, Outputs::shared);
    double before = 1e300;
    for (Bytes mib = floor; mib < floor + 410; mib += outputs == Outputs::shared ? 8 : 2) {
        CAPTURE(mib);
        PlanOptions options = latency(timed, mib * kMiB);
        options.outputs = outputs;
        const Plan plan = plan_one(timed.costs, options).plan;
        REQUIRE(plan.budget.room_left_bytes >= 0);
        REQUIRE(plan.memory_model == MemoryModel::exact);
        const double now = plan.expected->step_us;
        REQUIRE(now <= before);
        before = now;
        // Memory aside, nothing is faster than the plan for all memory.
        REQUIRE(plan.expected->gap);
        REQUIRE(near(*plan.expected->gap, 1 - least / now));
    }
    CHECK(near(before, least));
}

TEST_CASE("latency: replayed sets fit by the allocator and are no slower than the optimum by segments") {
    std::size_t faster = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        const Outputs outputs = seed < 150 ? Outputs::per_graph : Outputs::shared;
        TimedCosts timed = testing::random_timed(seed);
        // Kept bytes that lie in the scratch of larger graphs: the allocator takes less than the sum.
        for (PoolCosts& pool : timed.costs.pools) {
            for (BucketCost& cost : pool.buckets) {
                if (!cost.graph_bytes) continue;
                cost.trace = timed.costs.traces.size();
                const Bytes scratch = *cost.graph_bytes - cost.kept_bytes;
                timed.costs.traces.push_back({{true, EventTag::none, 0, scratch + 1},
                                              {false, EventTag::none, 0, 0},
                                              {true, EventTag::output, 1, cost.kept_bytes / 2 + 1}});
            }
        }
        PlanOptions options = latency(timed, static_cast<Bytes>(4 + seed % 60) * kMiB);
        options.outputs = outputs;
        const Plan exact = plan_one(timed.costs, options).plan;
        REQUIRE(exact.memory_model == MemoryModel::exact);
        if (exact.budget.free_bytes < exact.budget.floor_bytes) continue;
        REQUIRE(exact.budget.room_left_bytes >= 0);
        std::vector<Place> taken;
        for (const Place& place : captured_places(timed.costs, exact)) taken.push_back(place);
        Bytes pools = 0;
        for (std::size_t pool = 0; pool < exact.pools.size(); ++pool) {
            pools += testing::exact_pool_bytes(timed.costs, taken, pool,
                                               PretendedSegments::Direction::descending, outputs) +
                     exact.pools[pool].outside_bytes;
        }
        REQUIRE(pools <= exact.budget.room_bytes);
        options.memory_model = MemoryModel::segments;
        faster +=
            exact.expected->step_us < plan_one(timed.costs, options).plan.expected->step_us * (1 - 1e-9);
    }
    CHECK(faster > 2);
}

TEST_CASE("latency: 64 buckets in 3 pools with 8 GiB") {
    TimedCosts timed;
    std::mt19937 random(1);
    for (int pool = 0; pool < 3; ++pool) {
        timed.costs.pools.push_back({"pool" + std::to_string(pool), {}});
        for (int i = 1; i <= (pool == 0 ? 22 : 21); ++i) {
            BucketCost cost = testing::bucket("decode", i * 8, 0, std::nullopt, 0);
            cost.kept_bytes = static_cast<Bytes>(random() % 400) * kMiB;
            cost.graph_bytes = cost.kept_bytes + static_cast<Bytes>(random() % 500) * kMiB;
            cost.eager_us = TimeSummary{};
            cost.eager_us->median = 3000;
            cost.replay_us = TimeSummary{};
            cost.replay_us->median = 200 + i * 40;
            timed.costs.pools.back().buckets.push_back(cost);
            for (int step = 0; step < 8; ++step) {
                timed.traffic.steps.push_back({timed.costs.pools.back().name,
                                               {"decode", std::nullopt, i * 8 - step, i * 8 - step},
                                               static_cast<double>(random() % 1000)});
            }
        }
    }
    const Plan plan = plan_one(timed.costs, latency(timed, 8 * kGiB)).plan;
    CHECK(plan.expected->gap == 0.0);
    CHECK(plan.expected->step_us < plan.expected_by_count->step_us);
}

TEST_CASE("latency: several ranks capture what all of them chose") {
    const TimedCosts timed = testing::random_timed(5);
    const std::vector<Costs> ranks{timed.costs, timed.costs};
    const PlanOptions options = latency(timed, 60 * kMiB);
    const Plan both = make_plan(ranks, options).plan;
    const Plan one = plan_one(timed.costs, options).plan;
    CHECK(captured_places(timed.costs, both) == captured_places(timed.costs, one));
    CHECK(both.expected->step_us == one.expected->step_us);
    CHECK_FALSE(both.expected->gap);
}

TEST_CASE("latency: what is missing is said") {
    TimedCosts timed = testing::random_timed(5);
    PlanOptions options = latency(timed, 60 * kMiB);
    options.traffic.reset();
    CHECK_THROWS_WITH(plan_one(timed.costs, options), ContainsSubstring("--traffic"));
    options = latency(timed, 60 * kMiB);
    for (PoolCosts& pool : timed.costs.pools) {
        for (BucketCost& cost : pool.buckets) cost.eager_us.reset();
    }
    CHECK_THROWS_WITH(plan_one(timed.costs, options), ContainsSubstring("/pools/0/buckets/") &&
                                                          ContainsSubstring("no eager_us") &&
                                                          ContainsSubstring("size --time"));
}

}  // namespace graphplan
