// Plans of random costs beside plain transcriptions of the rules.
#include <map>
#include <random>
#include <set>

#include "graphplan/memory.hpp"
#include "plan_support.hpp"
#include "reference_planner.hpp"

namespace graphplan {
namespace {

using testing::bucket;
using testing::captured_sizes;
using testing::costs_of;
using testing::only_eager;
using testing::Place;
using testing::plan_one;

Place place_in(const Costs& costs, std::size_t pool, const BucketKey& id) {
    const auto& buckets = costs.pools[pool].buckets;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        if (buckets[i].id == id) return {pool, i};
    }
    FAIL("the plan names a bucket that the costs lack");
    return {};
}

/// What must hold for any plan: every bucket once, in order, with a reason and bytes that explain it.
void check_complete(const Costs& costs, const Plan& plan) {
    REQUIRE(plan.pools.size() == costs.pools.size());
    for (std::size_t p = 0; p < plan.pools.size(); ++p) {
        const PoolPlan& pool = plan.pools[p];
        REQUIRE(pool.name == costs.pools[p].name);
        std::set<BucketKey> seen;
        for (const PlannedCapture& capture : pool.captures) REQUIRE(seen.insert(capture.id).second);
        for (const EagerBucket& eager : pool.eager) {
            REQUIRE(seen.insert(eager.id).second);
            const BucketCost& cost = costs.pools[p].buckets[place_in(costs, p, eager.id).bucket];
            if (cost.graph_bytes) {
                REQUIRE(eager.needs_bytes);
                REQUIRE(eager.short_bytes);
                REQUIRE(*eager.short_bytes > 0);
            } else {
                const bool denied = cost.failure && cost.failure->kind == Failure::Kind::denied;
                REQUIRE(eager.reason == (denied ? EagerReason::denied : EagerReason::not_captured));
            }
        }
        REQUIRE(seen.size() == costs.pools[p].buckets.size());
    }
    REQUIRE((plan.budget.room_left_bytes >= 0 || plan.budget.room_left_bytes == plan.budget.room_bytes));
}

/// Against the plain transcription: what is chosen, when, at what cost, and all figures.
void check_same(const Costs& costs, const Plan& plan, const testing::ReferencePlan& expected) {
    std::map<std::int64_t, testing::ReferenceChoice> chosen;
    for (std::size_t p = 0; p < plan.pools.size(); ++p) {
        std::vector<Place> order;
        for (const PlannedCapture& capture : plan.pools[p].captures) {
            order.push_back(place_in(costs, p, capture.id));
            chosen[capture.chosen] = {order.back(), capture.added_bytes};
        }
        std::vector<Place> taken;
        for (const auto& choice : expected.chosen) taken.push_back(choice.place);
        REQUIRE(order == testing::capture_order(costs, taken, p));
        REQUIRE(plan.pools[p].predicted_bytes == expected.predicted[p]);
        REQUIRE(plan.pools[p].outside_bytes == expected.outside[p]);
        REQUIRE(plan.pools[p].output_buffers == expected.buffers[p]);
    }
    REQUIRE(chosen.size() == expected.chosen.size());
    for (std::size_t i = 0; i < expected.chosen.size(); ++i) {
        REQUIRE(chosen.contains(static_cast<std::int64_t>(i)));
        REQUIRE(chosen[static_cast<std::int64_t>(i)] == expected.chosen[i]);
    }
    REQUIRE(plan.budget.room_left_bytes == expected.room_left);
}

Bytes floor_of(const Costs& costs) {
    Bytes floor = 0;
    for (const PoolCosts& pool : costs.pools) {
        for (const BucketCost& cost : pool.buckets) floor = std::max(floor, cost.peak_bytes);
    }
    return floor;
}

PlanOptions random_options(std::uint32_t seed, Bytes most, Outputs outputs = Outputs::per_graph) {
    std::mt19937 random(seed);
    PlanOptions options;
    options.free_bytes = static_cast<Bytes>(random() % static_cast<std::uint32_t>(most / kMiB)) * kMiB;
    options.same_process = random() % 2 == 0;
    if (random() % 2 == 0) options.reusable_bytes = static_cast<Bytes>(random() % 12) * kMiB;
    options.outputs = outputs;
    return options;
}

}  // namespace

TEST_CASE("segments: thousands of random costs are planned as the plain rule says") {
    for (std::uint32_t seed = 0; seed < 6000; ++seed) {
        CAPTURE(seed);
        const Outputs outputs = seed < 3000 ? Outputs::per_graph : Outputs::shared;
        const Costs costs = testing::random_costs(seed, outputs == Outputs::shared && seed % 3 == 0);
        PlanOptions options = random_options(seed, 300 * kMiB, outputs);
        options.memory_model = MemoryModel::segments;
        const PlanResult result = plan_one(costs, options);
        check_complete(costs, result.plan);
        REQUIRE(result.plan.outputs == outputs);
        const Bytes one_off = options.same_process ? 0 : costs.one_off_bytes;
        REQUIRE(result.floor_fits == (*options.free_bytes >= floor_of(costs)));
        if (!result.floor_fits) continue;
        const Bytes room = *options.free_bytes - floor_of(costs) - one_off;
        REQUIRE(result.plan.budget.room_bytes == room);
        check_same(costs, result.plan, testing::reference_segments(costs, options, room));
    }
}

TEST_CASE("exact: random traces are planned as the plain rule says") {
    std::size_t buffers = 0;
    for (std::uint32_t seed = 0; seed < 1200; ++seed) {
        CAPTURE(seed);
        const Outputs outputs = seed < 600 ? Outputs::per_graph : Outputs::shared;
        const Costs costs = testing::random_costs(seed, true);
        PlanOptions options = random_options(seed, 700 * kMiB, outputs);
        options.memory_model = MemoryModel::exact;
        const PlanResult result = plan_one(costs, options);
        check_complete(costs, result.plan);
        if (!result.floor_fits) continue;
        const testing::ReferencePlan expected =
            testing::reference_exact(costs, options, result.plan.budget.room_bytes);
        check_same(costs, result.plan, expected);
        for (std::size_t p = 0; p < costs.pools.size(); ++p) {
            std::vector<Place> taken;
            for (const auto& choice : expected.chosen) taken.push_back(choice.place);
            const Bytes ascending =
                testing::exact_pool_bytes(costs, taken, p, PretendedSegments::Direction::ascending, outputs);
            const PoolPlan& pool = result.plan.pools[p];
            REQUIRE(pool.predicted_bytes_ascending.value_or(pool.predicted_bytes) == ascending);
            REQUIRE(pool.predicted_bytes_ascending.has_value() == (ascending != pool.predicted_bytes));
            buffers += pool.output_buffers.size();
        }
    }
    CHECK(buffers > 1000);
}

TEST_CASE("the buckets that segments would take are taken where they are more and fit the allocator") {
    const auto one_block = [](Bytes bytes, bool kept) {
        EventTrace events{{true, EventTag::none, 0, bytes}};
        if (!kept) events.push_back({false, EventTag::none, 0, 0});
        return events;
    };
    // The allocator's cheapest first step leaves no room for the two that would share one segment.
    Costs costs = costs_of({{"llm",
                             {bucket("decode", 3, 0, 30 * kMiB, 30 * kMiB),
                              bucket("decode", 2, 0, 22 * kMiB, 0), bucket("decode", 1, 0, 21 * kMiB, 0)}}},
                           40 * kMiB);
    costs.traces = {one_block(20 * kMiB, true), one_block(22 * kMiB, false), one_block(22 * kMiB, false)};
    for (std::size_t i = 0; i < 3; ++i) costs.pools[0].buckets[i].trace = i;
    const PlanResult result = plan_one(costs, {});
    CHECK(testing::reference_exact(costs, {}, 40 * kMiB).from_segments);
    CHECK(result.plan.memory_model == MemoryModel::exact);
    CHECK(captured_sizes(result.plan.pools[0]) == std::vector<std::int64_t>{2, 1});
    CHECK(result.plan.pools[0].predicted_bytes == 22 * kMiB);
    CHECK(only_eager(result.plan).short_bytes == 2 * kMiB);
    check_same(costs, result.plan, testing::reference_exact(costs, {}, 40 * kMiB));
}

TEST_CASE("with shared outputs the buckets that segments would take are taken too where they are more") {
    // The allocator takes less scratch for the first one than its costs say, and its outputs lie outside.
    Costs costs = costs_of({{"llm",
                             {bucket("decode", 3, 0, 52 * kMiB, 20 * kMiB),
                              bucket("decode", 2, 0, 22 * kMiB, 0), bucket("decode", 1, 0, 21 * kMiB, 0)}}},
                           40 * kMiB);
    const EventTrace scratch{{true, EventTag::none, 0, 22 * kMiB}, {false, EventTag::none, 0, 0}};
    costs.traces = {{{true, EventTag::output, 0, 20 * kMiB}}, scratch, scratch};
    for (std::size_t i = 0; i < 3; ++i) costs.pools[0].buckets[i].trace = i;
    PlanOptions options;
    options.outputs = Outputs::shared;
    const Plan plan = plan_one(costs, options).plan;
    const testing::ReferencePlan expected = testing::reference_exact(costs, options, 40 * kMiB);
    CHECK(expected.from_segments);
    check_same(costs, plan, expected);
    CHECK(captured_sizes(plan.pools[0]) == std::vector<std::int64_t>{2, 1});
    CHECK(plan.pools[0].output_buffers.empty());
    CHECK(only_eager(plan).needs_bytes == 20 * kMiB);
    CHECK(only_eager(plan).short_bytes == 2 * kMiB);
}

TEST_CASE("equal ranks plan as one does") {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        const bool traces = seed % 2 == 0;
        const Costs costs = testing::random_costs(seed, traces);
        PlanOptions options =
            random_options(seed, 400 * kMiB, seed < 100 ? Outputs::per_graph : Outputs::shared);
        options.memory_model = traces ? MemoryModel::exact : MemoryModel::segments;
        const std::vector<Costs> ranks(3, costs);
        const Plan one = plan_one(costs, options).plan;
        const Plan three = make_plan(ranks, options).plan;
        REQUIRE(three.pools == one.pools);
        REQUIRE(three.budget == one.budget);
        REQUIRE(three.ranks.size() == 3);
        REQUIRE(one.ranks.empty());
    }
}

}  // namespace graphplan
