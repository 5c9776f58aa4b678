#include "graphplan/documents.hpp"
#include "plan_support.hpp"
#include "reference_planner.hpp"

namespace graphplan {

using testing::bucket;
using testing::captured_sizes;
using testing::costs_of;
using testing::only_eager;
using testing::plan_one;
using testing::plan_segments;

TEST_CASE("ties go to the pool whose name is first by its bytes, then to sizing order") {
    const PoolCosts z{
        "z", {bucket("decode", 2, 0, 4 * kMiB, kSegment), bucket("decode", 1, 0, 4 * kMiB, kSegment)}};
    const PoolCosts upper{"Z", {bucket("decode", 4, 0, 4 * kMiB, kSegment)}};
    const PoolCosts accent{"\xc3\xa9", {bucket("decode", 8, 0, 4 * kMiB, kSegment)}};
    const Plan plan = plan_segments(costs_of({accent, z, upper}, 0), kGiB).plan;
    CHECK(plan.pools[2].captures[0].chosen == 0);
    CHECK(plan.pools[1].captures[0].id.bs == 2);
    CHECK(plan.pools[1].captures[0].chosen == 1);
    CHECK(plan.pools[1].captures[1].chosen == 2);
    CHECK(plan.pools[0].captures[0].chosen == 3);
}

TEST_CASE("kept bytes count in whole segments and for each slot, scratch once in a pool") {
    BucketCost two = bucket("decode", 2, 0, 5 * kMiB, 1);
    two.slots = 2;
    two.outside_bytes = 1000;
    const Plan plan =
        plan_segments(costs_of({{"llm", {two, bucket("decode", 1, 0, 3 * kMiB, 1)}}}, 0), kGiB).plan;
    CHECK(plan.pools[0].predicted_bytes == 3 * kSegment + 5 * kMiB - 1);
    CHECK(plan.pools[0].outside_bytes == 2000);
    CHECK(captured_sizes(plan.pools[0]) == std::vector<std::int64_t>{2, 1});
    CHECK(plan.pools[0].captures[0].chosen == 1);
    CHECK(plan.pools[0].captures[0].added_bytes == 2 * kSegment + 2 * kMiB + 2000);
    CHECK(plan.budget.room_left_bytes == kGiB - 3 * kSegment - (5 * kMiB - 1) - 2000);
}

TEST_CASE("a plan says by which allocator its pools were predicted") {
    Costs costs;
    costs.allocator.expandable_segments = true;
    costs.free_bytes_before = kGiB;
    PoolCosts& pool = costs.pools.emplace_back();
    pool.name = "llm";
    pool.buckets.emplace_back().id = {"decode", std::nullopt, 1, 1};
    CHECK(make_plan(std::span(&costs, 1), {}).plan.allocator == costs.allocator);
}

TEST_CASE("ranks that were sized with other allocator options are refused by name") {
    std::vector<Costs> ranks(2, costs_of({{"a", {bucket("decode", 1, 0, kMiB, 0)}}}, kGiB));
    CHECK_NOTHROW(make_plan(ranks, {}));
    ranks[1].allocator.max_split_size_mb = 64;
    ranks[1].source = "b.json";
    try {
        make_plan(ranks, {});
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::invalid_document);
        CHECK(std::string(error.what()).find("b.json: /allocator: rank 1") == 0);
    }
}

TEST_CASE("the first bucket that does not fit ends the plan, and says by how much") {
    const Costs costs = costs_of(
        {{"llm", {bucket("decode", 2, kMiB, 30 * kMiB, 0), bucket("decode", 1, 0, 10 * kMiB, 0)}}}, 0);
    const Plan plan = plan_segments(costs, 12 * kMiB).plan;
    CHECK(captured_sizes(plan.pools[0]) == std::vector<std::int64_t>{1});
    CHECK(only_eager(plan).reason == EagerReason::does_not_fit);
    CHECK(only_eager(plan).needs_bytes == 20 * kMiB);
    CHECK(only_eager(plan).short_bytes == 19 * kMiB);
}

TEST_CASE("a floor that does not fit leaves an empty plan that says by how much") {
    BucketCost denied = bucket("decode", 1, 0, std::nullopt, 0);
    denied.failure = Failure{Failure::Kind::denied, "as configured"};
    const PlanResult result =
        plan_segments(costs_of({{"llm", {bucket("decode", 2, 9 * kMiB, 0, 0), denied}}}, 0), 4 * kMiB);
    CHECK_FALSE(result.floor_fits);
    REQUIRE(result.plan.pools[0].eager.size() == 2);
    CHECK(result.plan.pools[0].eager[0].reason == EagerReason::floor_does_not_fit);
    CHECK(result.plan.pools[0].eager[0].needs_bytes == 9 * kMiB);
    CHECK(result.plan.pools[0].eager[0].short_bytes == 5 * kMiB);
    CHECK(result.plan.pools[0].eager[1].reason == EagerReason::denied);
    CHECK(result.plan.pools[0].eager[1].detail == "as configured");
    CHECK(result.plan.budget.room_bytes == -5 * kMiB);
}

TEST_CASE("a one-off that does not fit beside the floor is no failure, but nothing is captured") {
    Costs costs = costs_of({{"llm", {bucket("decode", 1, 3 * kMiB, 0, 0)}}}, 4 * kMiB);
    costs.one_off_bytes = 2 * kMiB;
    const PlanResult result = plan_one(costs, {});
    CHECK(result.floor_fits);
    CHECK(result.plan.budget.room_bytes == -kMiB);
    CHECK(only_eager(result.plan).reason == EagerReason::does_not_fit);
    CHECK(only_eager(result.plan).needs_bytes == 0);
    CHECK(only_eager(result.plan).short_bytes == kMiB);
    CHECK(result.warnings.size() == 1);
    PlanOptions same;
    same.same_process = true;
    CHECK(plan_one(costs, same).plan.pools[0].captures.size() == 1);
}

TEST_CASE("held memory is reused in the same process only, once, and within the bound") {
    BucketCost one = bucket("decode", 1, 0, 0, 0);
    BucketCost two = bucket("decode", 2, 0, 0, 0);
    one.outside_bytes = two.outside_bytes = 3 * kMiB;
    Costs costs = costs_of({{"llm", {two, one}}}, kGiB);
    costs.walks.push_back(testing::held_by("llm", "decode", 4 * kMiB));
    const auto used = [&](bool same, std::optional<Bytes> bound) {
        PlanOptions options;
        options.memory_model = MemoryModel::segments;
        options.same_process = same;
        options.reusable_bytes = bound;
        const Plan plan = plan_one(costs, options).plan;
        CHECK(plan.pools[0].outside_bytes == 6 * kMiB);
        return plan.budget.room_bytes - plan.budget.room_left_bytes;
    };
    CHECK(used(false, std::nullopt) == 6 * kMiB);
    CHECK(used(true, std::nullopt) == 2 * kMiB);
    CHECK(used(true, kMiB) == 5 * kMiB);
    CHECK(used(true, 0) == 6 * kMiB);
}

TEST_CASE("free memory comes from the option, or from what sizing saw") {
    Costs costs = costs_of({{"llm", {bucket("decode", 1, 0, 0, 0)}}}, 50);
    costs.free_bytes = 40;
    PlanOptions options;
    CHECK(plan_one(costs, options).plan.budget.free_bytes == 50);
    CHECK(plan_one(costs, options).plan.budget.source == "free_bytes_before");
    options.same_process = true;
    CHECK(plan_one(costs, options).plan.budget.free_bytes == 40);
    CHECK(plan_one(costs, options).plan.budget.source == "free_bytes");
    options.free_bytes = 0;
    CHECK(plan_one(costs, options).plan.budget.free_bytes == 0);
    costs.free_bytes_before.reset();
    CHECK_THROWS_AS(plan_one(costs, {}), Error);
}

TEST_CASE("the model is exact where every graph has a trace") {
    Costs costs =
        costs_of({{"llm", {bucket("decode", 2, 0, 0, 0), bucket("decode", 1, 0, std::nullopt, 0)}}}, kGiB);
    CHECK(plan_one(costs, {}).plan.memory_model == MemoryModel::segments);
    costs.traces.push_back({{true, EventTag::none, 0, 3 * kMiB}});
    costs.pools[0].buckets[0].trace = 0;
    const PlanResult exact = plan_one(costs, {});
    CHECK(exact.plan.memory_model == MemoryModel::exact);
    CHECK(exact.plan.pools[0].predicted_bytes == 20 * kMiB);
    costs.pools[0].buckets.push_back(bucket("decode", 3, 0, 0, 0));
    CHECK(plan_one(costs, {}).plan.memory_model == MemoryModel::segments);
    CHECK(plan_one(costs, {}).warnings.size() == 1);
    PlanOptions options;
    options.memory_model = MemoryModel::exact;
    CHECK_THROWS_AS(plan_one(costs, options), Error);
}

TEST_CASE("sums beyond 2^63 are errors") {
    const Bytes huge = std::numeric_limits<Bytes>::max() / 2 + 1;
    CHECK_THROWS_AS(
        plan_segments(costs_of({{"llm", {bucket("a", 1, 0, huge, 0), bucket("b", 1, 0, huge, 0)}}}, 0), 1),
        Error);
    BucketCost slots = bucket("a", 1, 0, 1, 1);
    slots.slots = huge;
    CHECK_THROWS_AS(plan_segments(costs_of({{"llm", {slots}}}, 0), 1), Error);
    Costs floor = costs_of({{"llm", {bucket("a", 1, std::numeric_limits<Bytes>::max(), 0, 0)}}}, 0);
    floor.one_off_bytes = std::numeric_limits<Bytes>::max();
    CHECK_THROWS_AS(plan_segments(floor, 0), Error);
    CHECK_THROWS_AS(make_plan({}, {}), Error);
}

TEST_CASE("a demanded bucket comes first, however dear, and the rest fill what is left") {
    const Costs costs =
        costs_of({{"llm",
                   {bucket("decode", 4, 0, 8 * kMiB, 8 * kMiB), bucket("decode", 2, 0, 4 * kMiB, 4 * kMiB),
                    bucket("decode", 1, 0, 2 * kMiB, 2 * kMiB)}}},
                 0);
    PlanOptions options;
    options.free_bytes = 10 * kMiB;
    CHECK(captured_sizes(plan_one(costs, options).plan.pools[0]) == std::vector<std::int64_t>{2, 1});
    options.must = {parse_must("decode:4")};
    const PlanResult met = plan_one(costs, options);
    CHECK(captured_sizes(met.plan.pools[0]) == std::vector<std::int64_t>{4, 1});
    CHECK(met.unmet.empty());
    options.free_bytes = 7 * kMiB;
    const PlanResult unmet = plan_one(costs, options);
    CHECK(captured_sizes(unmet.plan.pools[0]) == std::vector<std::int64_t>{2, 1});
    REQUIRE(unmet.unmet.size() == 2);
    CHECK(unmet.unmet[0].find("decode bs=4") != std::string::npos);
    CHECK(unmet.unmet[1].find("1048576 bytes") != std::string::npos);
}

TEST_CASE("every graph can be required") {
    BucketCost failed = bucket("decode", 1, 0, std::nullopt, 0);
    Costs costs = costs_of({{"llm", {bucket("decode", 2, 0, 4 * kMiB, 4 * kMiB)}}}, 4 * kMiB);
    PlanOptions options;
    options.require_all = true;
    CHECK(plan_one(costs, options).unmet.empty());
    costs.pools[0].buckets.push_back(failed);
    CHECK(plan_one(costs, options).unmet.size() == 1);
    costs.pools[0].buckets.back().failure = Failure{Failure::Kind::denied, ""};
    CHECK(plan_one(costs, options).unmet.empty());
    options.free_bytes = 3 * kMiB;
    CHECK(plan_one(costs, options).unmet.size() == 2);
}

TEST_CASE("ranks capture what all of them planned, in one order") {
    const auto rank = [](Bytes dear, Bytes free) {
        return costs_of({{"llm",
                          {bucket("decode", 4, 0, dear, 0), bucket("decode", 2, 0, 6 * kMiB, 0),
                           bucket("decode", 1, 0, 4 * kMiB, 0)}}},
                        free);
    };
    std::vector<Costs> ranks{rank(8 * kMiB, kGiB), rank(50 * kMiB, 20 * kMiB), rank(2 * kMiB, kGiB)};
    const PlanResult result = make_plan(ranks, {});
    const PoolPlan& pool = result.plan.pools[0];
    CHECK(captured_sizes(pool) == std::vector<std::int64_t>{2, 1});
    REQUIRE(pool.eager.size() == 1);
    CHECK(pool.eager[0].reason == EagerReason::dropped_on_rank);
    CHECK(pool.eager[0].rank == 1);
    CHECK(pool.eager[0].needs_bytes == 44 * kMiB);
    CHECK(pool.eager[0].short_bytes == 30 * kMiB);
    REQUIRE(result.plan.ranks.size() == 3);
    CHECK(result.plan.budget == result.plan.ranks[1].budget);
    CHECK(result.plan.budget.room_left_bytes == 14 * kMiB);
    CHECK(pool.predicted_bytes == 6 * kMiB);

    ranks[1] = rank(50 * kMiB, kGiB);
    ranks[0].pools[0].buckets[0].graph_bytes = kMiB;
    const PlanResult all = make_plan(ranks, {});
    CHECK(captured_sizes(all.plan.pools[0]) == std::vector<std::int64_t>{4, 2, 1});
    CHECK(all.plan.pools[0].predicted_bytes == 50 * kMiB);

    ranks[2].pools[0].buckets.erase(ranks[2].pools[0].buckets.begin());
    ranks[2].pools[0].buckets.push_back(bucket("prefill", 9, 0, 0, 0));
    const PoolPlan dropped = make_plan(ranks, {}).plan.pools[0];
    REQUIRE(dropped.eager.size() == 2);
    CHECK(dropped.eager[0].rank == 2);
    CHECK(dropped.eager[1].id.walk == "prefill");
    CHECK(dropped.eager[1].rank == 0);

    ranks[0].pools[0].buckets[1].graph_bytes.reset();
    const PoolPlan own = make_plan(ranks, {}).plan.pools[0];
    CHECK(own.eager[1].reason == EagerReason::not_captured);
    CHECK_FALSE(own.eager[1].rank);
}

TEST_CASE("vLLM's ladder, as an H200 measured it, fits into a quarter where outputs are shared") {
    const Costs costs = parse_costs(
        read_text(GRAPHPLAN_SOURCE_DIR "/plans/measured/h200/llama-3.1-8b.vllm.costs.json.gz"), {});
    const auto pool_of = [&](Outputs outputs, std::optional<Bytes> free) {
        PlanOptions options;
        options.outputs = outputs;
        options.free_bytes = free;
        const Plan plan = plan_one(costs, options).plan;
        CHECK(plan.memory_model == MemoryModel::exact);
        return plan.pools.at(0);
    };
    CHECK(pool_of(Outputs::per_graph, std::nullopt).predicted_bytes == 2146 * kMiB);
    CHECK(pool_of(Outputs::per_graph, 600 * kMiB).captures.size() == 13);
    const auto warnings_of = [](const char* file, Outputs outputs) {
        PlanOptions options;
        options.outputs = outputs;
        const std::string folder = GRAPHPLAN_SOURCE_DIR "/plans/measured/h200/";
        return plan_one(parse_costs(read_text(folder + file), {}), options).warnings;
    };
    CHECK(warnings_of("llama-3.1-8b.vllm.costs.json.gz", Outputs::shared).empty());
    CHECK(warnings_of("omni.costs.json.gz", Outputs::per_graph).empty());
    const std::vector<std::string> warnings = warnings_of("omni.costs.json.gz", Outputs::shared);
    REQUIRE(warnings.size() == 1);
    CHECK(
        warnings[0] ==
        "sharing outputs does not pay here: 25 buckets in pools of 804.4 MiB, but 25 in 776.4 MiB where each "
        "graph keeps its own. Plan with --outputs per_graph");
    const PoolPlan shared = pool_of(Outputs::shared, 600 * kMiB);
    CHECK(shared.captures.size() == 35);
    CHECK(shared.predicted_bytes == 266 * kMiB);
    // The logits of 256 rows in fp32.
    CHECK(shared.output_buffers ==
          std::vector<OutputBuffer>{{"decode", std::nullopt, 1, Bytes{256} * 128256 * 4, 126 * kMiB}});
}

TEST_CASE("a pool that ascending segments would make another is told, with what PyTorch then needs more") {
    const Costs costs =
        parse_costs(read_text(GRAPHPLAN_SOURCE_DIR "/plans/measured/h200/omni.costs.json.gz"), {});
    PlanOptions options;
    options.outputs = Outputs::shared;
    options.free_bytes = 540 * kMiB;
    const PlanResult result = plan_one(costs, options);
    const PoolPlan& pool = result.plan.pools.at(0);
    REQUIRE(pool.predicted_bytes_ascending == pool.predicted_bytes + 20 * kMiB);
    CHECK(result.warnings.at(0) ==
          "pool \"thinker\" takes 92.1 MiB in a ReplaySession, and in PyTorch where the driver places new "
          "segments below the ones before; 112.1 MiB where it places them above: leave 20.0 MiB spare there");
}

}  // namespace graphplan
