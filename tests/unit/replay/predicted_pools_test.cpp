// At every budget at which a sample's plan changes, its captures take the pools that were predicted. The
// simulated driver places segments as drivers do, in holes and ranges, so that addresses say nothing about
// what came first.
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

}  // namespace

TEST_CASE("the pools of every plan of a sample's budgets take what was predicted, to the byte") {
    const std::string sample = GENERATE("llama-3.1-8b", "qwen3-0.6b", "mixtral-8x7b", "vocoder", "omni");
    const Outputs outputs = GENERATE(Outputs::per_graph, Outputs::shared);
    CAPTURE(sample, outputs == Outputs::shared);
    const Model model = sample_model(sample);
    const Buckets buckets = sample_buckets(sample);
    const std::vector<Plan> plans = all_plans(sized(model, buckets, true), outputs);
    REQUIRE(plans.size() > 3);
    for (const Plan& plan : plans) check_pools(model, buckets, plan);
}
