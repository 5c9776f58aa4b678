// At the budgets at which a sample's plan changes, its captures take the pools that were predicted. The
// simulated driver places segments as drivers do, in holes and ranges, so that addresses say nothing about
// what came first.
#include <algorithm>

#include "replay_fixture.hpp"

using namespace graphplan;

namespace {

/// The plans of all budgets from nothing to everything.
std::vector<Plan> all_plans(const Costs& costs, Outputs outputs) {
    PlanOptions options;
    options.outputs = outputs;
    std::vector<Plan> plans;
    for (const SweepStep& step : sweep(std::span(&costs, 1), options, {kMiB, 2 * kGiB, 8 * kMiB})) {
        if (step.captured == 0) continue;
        options.free_bytes = step.free_bytes;
        plans.push_back(make_plan(std::span(&costs, 1), options).plan);
    }
    return plans;
}

void check_pools(const Model& model, const Buckets& buckets, const Plan& plan) {
    const std::unique_ptr<Device> device = sim_device();
    EngineOptions options;
    options.share_weights = true;
    const std::unique_ptr<Engine> engine = make_interpreter(*device, model, buckets, options);
    ReplaySession session(*engine, buckets, plan, {});
    const CaptureReport& report = session.capture();
    REQUIRE(report.dropped.empty());
    for (const TakenPool& pool : report.pools) {
        CAPTURE(pool.name, plan.budget.free_bytes);
        CHECK(pool.taken_bytes == pool.predicted_bytes);
    }
}

/// Whether the driver would decide what the plan's pools take if addresses decided ties.
bool has_ties(const Plan& plan) {
    return std::any_of(plan.pools.begin(), plan.pools.end(),
                       [](const PoolPlan& pool) { return pool.predicted_bytes_ascending.has_value(); });
}

/// The plans of a sample that have ties.
std::ptrdiff_t check_sample(const std::string& sample) {
    const Model model = sample_model(sample);
    const Buckets buckets = sample_buckets(sample);
    const Costs costs = sized(model, buckets, true);
    std::ptrdiff_t ties = 0;
    for (const Outputs outputs : {Outputs::per_graph, Outputs::shared}) {
        CAPTURE(outputs == Outputs::shared);
        const std::vector<Plan> plans = all_plans(costs, outputs);
        REQUIRE(plans.size() > 3);
        for (const Plan& plan : plans) check_pools(model, buckets, plan);
        ties += std::count_if(plans.begin(), plans.end(), has_ties);
    }
    return ties;
}

}  // namespace

TEST_CASE("the pools of every plan of llama-3.1-8b take what was predicted, to the byte") {
    check_sample("llama-3.1-8b");
}

TEST_CASE("the pools of every plan of qwen3-0.6b take what was predicted, to the byte") {
    check_sample("qwen3-0.6b");
}

TEST_CASE("the pools of every plan of mixtral-8x7b take what was predicted, to the byte") {
    check_sample("mixtral-8x7b");
}

TEST_CASE("the pools of every plan of the vocoder take what was predicted, to the byte") {
    check_sample("vocoder");
}

TEST_CASE("the pools of every plan of omni take what was predicted, to the byte, ties among them") {
    CHECK(check_sample("omni") > 0);
}
