// What verify and replay say of a plan whose graphs share their outputs.
#include <fstream>

#include "catch.hpp"
#include "cli_support.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/sim.hpp"
#include "replay_summary.hpp"
#include "verify_summary.hpp"

using namespace graphplan;
using namespace graphplan::cli;

namespace {

/// The served plan of the inputs, its outputs shared, captured.
Serving served() {
    const cli_test::InputFolder folder;
    Serving serving;
    serving.plan = parse_plan(read_text("plan_served.json"), {});
    serving.plan.outputs = Outputs::shared;
    serving.plan.pools.at(0).output_buffers = {{"decode", std::nullopt, 2, 1536, kSegment}};
    serving.plan.pools.at(0).predicted_bytes += kSegment;
    serving.inputs = read_model_inputs("model.json", "buckets.json", {});
    SimOptions options;
    options.profile = sim_profile("h200");
    serving.device = make_sim_device(options);
    serving.engine = make_interpreter(*serving.device, serving.inputs.model, serving.inputs.buckets, {});
    serving.session = std::make_unique<ReplaySession>(*serving.engine, serving.inputs.buckets, serving.plan,
                                                      ReplayOptions{});
    serving.report = serving.session->capture();
    return serving;
}

/// Keeps a document where it is validated against its schema.
void keep(const std::string& name, const std::string& document) {
    std::filesystem::create_directories(GRAPHPLAN_PRODUCED_DIR);
    std::ofstream(std::filesystem::path(GRAPHPLAN_PRODUCED_DIR) / name) << document;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("verify says what shared outputs were predicted to take and took") {
    const Serving serving = served();
    const Verification verification(serving, 4 * kMiB);
    std::ostringstream out;
    print_verification(out, Paint(false), verification, true);
    CHECK(has(out.str(), "llm: of it shared outputs    2.0 MiB   2.0 MiB    0 B"));
    const std::string json = to_json(verification);
    CHECK(has(json, R"("schema_version": "1.1")"));
    CHECK(has(json, R"("outputs": "shared")"));
    CHECK(has(json, R"("predicted_output_bytes": 2097152)"));
    CHECK(has(json, R"("taken_output_bytes": 2097152)"));
    keep("verify_shared_outputs.json", json);
}

TEST_CASE("replay says that outputs were shared") {
    Serving serving = served();
    TrafficSource traffic(serving.inputs.buckets, 0);
    const ReplayRun run = run_steps(serving, traffic, 20, 0, {});
    std::ostringstream out;
    print_replay(out, Paint(false), serving, run, true);
    CHECK(has(out.str(), "graphs of a walk and slot shared their outputs: 2.0 MiB in all"));
    const std::string json = to_json(serving, run);
    CHECK(has(json, R"("schema_version": "1.1")"));
    CHECK(has(json, R"("outputs": "shared")"));
    keep("replay_shared_outputs.json", json);
}
