// Runs commands in process and compares all that they say with tests/cli/golden/NAME.txt. With
// GRAPHPLAN_UPDATE_GOLDEN=1 the files are written instead: read what changed before it is committed.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "cli_support.hpp"
#include "graphplan/base.hpp"

namespace {

namespace fs = std::filesystem;
using namespace graphplan::cli_test;

struct Golden {
    const char* name;
    std::vector<std::string> arguments;
    bool names_gpus = false;  ///< says which GPUs there are: the files hold for a build without CUDA
};

#ifdef GRAPHPLAN_HAS_CUDA
constexpr bool kHasCuda = true;
#else
constexpr bool kHasCuda = false;
#endif

const std::vector<std::string> kSize{"size", "model.json", "-b", "buckets.json", "--backend", "sim"};

std::vector<std::string> size_with(std::vector<std::string> more) {
    more.insert(more.begin(), kSize.begin(), kSize.end());
    return more;
}

constexpr const char* kFault = "capture_run@decode bs=4#0=fails";

std::vector<std::string> serving(const std::string& command, const std::string& plan,
                                 std::vector<std::string> more = {}) {
    const std::vector<std::string> all{command, plan, "model.json", "-b", "buckets.json", "--backend", "sim"};
    more.insert(more.begin(), all.begin(), all.end());
    return more;
}

// One list, a line for each file.
std::vector<std::string> bench_with(std::vector<std::string> more) {
    const std::vector<std::string> bench{"bench", "model.json", "-b", "buckets.json", "--backend", "sim"};
    more.insert(more.begin(), bench.begin(), bench.end());
    return more;
}

std::vector<Golden> goldens() {
    return {
        {"help", {"--help"}},
        {"version", {"--version"}},
        {"help_size", {"size", "--help"}},
        {"help_plan", {"plan", "--help"}},
        {"help_verify", {"verify", "--help"}},
        {"help_replay", {"replay", "--help"}},
        {"help_ladder", {"ladder", "--help"}},
        {"help_sweep", {"sweep", "--help"}},
        {"help_bench", {"bench", "--help"}},
        {"help_simulate", {"simulate", "--help"}},
        {"help_diff", {"diff", "--help"}},
        {"help_explain", {"explain", "--help"}},
        {"help_import", {"import", "--help"}},
        {"help_export", {"export", "--help"}},
        {"help_schema", {"schema", "--help"}},
        {"help_devices", {"devices", "--help"}},
        {"help_completion", {"completion", "--help"}},
        {"no_command", {}},
        {"unknown_command", {"plam"}},
        {"unknown_option_json", {"plan", "costs.json", "--fre-mib", "5", "--json"}},
        {"size", kSize},
        {"size_json", size_with({"--json"})},
        {"size_capture", size_with({"--size-by", "capture", "-q", "--json"})},
        {"size_failed_capture", size_with({"--sim-fault", "capture_run@decode bs=4#0=fails"})},
        {"size_free_mib", size_with({"--free-mib", "96", "-o", "costs_out.json"})},
        {"size_no_gpu", {"size", "model.json", "-b", "buckets.json"}, true},
        {"size_time", size_with({"--time", "-q", "--json"})},
        {"bench", bench_with({})},
        {"bench_json",
         bench_with({"--walk", "decode", "--bucket", "decode:8", "--bucket", "decode:2", "--json"})},
        {"bench_csv", bench_with({"--format", "csv", "--budget-ms", "1", "--replays", "7", "--flush-l2"})},
        {"bench_failures",
         bench_with({"--sim-fault", "capture_run@decode bs=8=fails", "--sim-fault",
                     "instantiate@decode bs=4=fails", "--sim-fault", "launch@decode bs=2#3=fails",
                     "--sim-fault", "run@decode bs=1=out_of_memory"})},
        {"bench_no_captures", bench_with({"--sim-captures", "off", "--budget-ms", "1"})},
        {"bench_none", bench_with({"--bucket", "decode:3"})},
        {"plan", {"plan", "costs.json"}},
        {"plan_json", {"plan", "costs.json", "--free-mib", "512", "--json", "-q"}},
        {"plan_segments", {"plan", "costs.json", "--free-mib", "11", "--memory-model", "segments"}},
        {"plan_same_process", {"plan", "costs.json", "--same-process", "--json"}},
        {"plan_file", {"plan", "costs.json", "--free-mib", "512", "-o", "plan_out.json"}},
        {"plan_timed", {"plan", "costs_losses.json", "--free-mib", "11", "--memory-model", "segments"}},
        {"plan_floor", {"plan", "costs.json", "--free-mib", "3"}},
        {"plan_floor_json", {"plan", "costs.json", "--free-mib", "3", "--json"}},
        {"plan_must",
         {"plan", "costs.json", "--free-mib", "11", "--must", "decode:8", "--memory-model", "segments"}},
        {"plan_require_all", {"plan", "costs.json", "--free-mib", "5", "--require-all"}},
        {"plan_ranks", {"plan", "costs.json", "costs_rank1.json", "--memory-model", "segments"}},
        {"plan_ranks_json",
         {"plan", "costs.json", "costs_rank1.json", "--memory-model", "segments", "--json"}},
        {"plan_shared", {"plan", "costs_slots.json", "--outputs", "shared"}},
        {"plan_shared_json",
         {"plan", "costs_slots.json", "--outputs", "shared", "--memory-model", "segments", "--json"}},
        {"plan_unknown_key", {"plan", "costs_unknown_key.json", "--free-mib", "512", "-q", "-o", "-"}},
        {"verify", serving("verify", "plan_served.json")},
        {"verify_json", serving("verify", "plan_served.json", {"--json"})},
        {"verify_different", serving("verify", "plan.json")},
        {"verify_dropped", serving("verify", "plan_served.json", {"--json", "-q", "--sim-fault", kFault})},
        {"verify_required",
         serving("verify", "plan_served.json", {"--require-graphs", "-q", "--sim-fault", kFault})},
        {"replay", serving("replay", "plan_served.json", {"--steps", "50"})},
        {"replay_json", serving("replay", "plan_served.json", {"--steps", "50", "--json", "-q"})},
        {"replay_traffic", serving("replay", "plan_served.json", {"--traffic", "traffic_replayed.json"})},
        {"replay_unserved", serving("replay", "plan_served.json", {"--traffic", "traffic_unserved.json"})},
        {"plan_latency",
         {"plan", "costs_timed.json", "--free-mib", "44", "--objective", "latency", "--traffic",
          "traffic.json"}},
        {"plan_latency_json",
         {"plan", "costs_timed.json", "--free-mib", "44", "--objective", "latency", "--traffic",
          "traffic.json", "--json", "-q"}},
        {"plan_count_traffic", {"plan", "costs_timed.json", "--free-mib", "44", "--traffic", "traffic.json"}},
        {"ladder", {"ladder", "traffic.json", "--count", "4", "--walk", "decode"}},
        {"ladder_json",
         {"ladder", "traffic.json", "--count", "4", "--walk", "decode", "--node", "llm", "--json"}},
        {"ladder_vllm", {"ladder", "traffic.json", "--from", "vllm", "--walk", "decode", "--node", "llm"}},
        {"sweep", {"sweep", "costs.json", "--free-mib", "0:64:16"}},
        {"sweep_json",
         {"sweep", "costs.json", "--free-mib", "0:64:16", "--memory-model", "segments", "--json"}},
        {"sweep_csv", {"sweep", "costs.json", "--free-mib", "0:64:5", "--format", "csv"}},
        {"sweep_latency",
         {"sweep", "costs_timed.json", "--free-mib", "0:128:64", "--objective", "latency", "--traffic",
          "traffic.json"}},
        {"sweep_shared", {"sweep", "costs.json", "--free-mib", "0:64:16", "--outputs", "shared"}},
        {"simulate", {"simulate", "trace.json"}},
        {"simulate_json", {"simulate", "trace.json", "--json"}},
        {"simulate_observed", {"simulate", "trace_observed.json"}},
        {"simulate_different", {"simulate", "trace_different.json"}},
        {"simulate_different_json", {"simulate", "trace_different.json", "-o", "-"}},
        {"diff_equal", {"diff", "plan.json", "plan.json"}},
        {"diff_plans", {"diff", "plan.json", "plan_other.json"}},
        {"diff_plans_json", {"diff", "plan.json", "plan_other.json", "--format", "json"}},
        {"diff_plans_markdown", {"diff", "plan.json", "plan_other.json", "--format", "markdown"}},
        {"diff_plans_github", {"diff", "plan.json", "plan_other.json", "--format", "github"}},
        {"diff_fail_on", {"diff", "plan.json", "plan_other.json", "--fail-on", "environment"}},
        {"diff_dropped", {"diff", "plan_other.json", "plan.json", "--fail-on", "dropped"}},
        {"diff_threshold",
         {"diff", "costs.json", "costs_rank1.json", "--threshold-mib", "64", "--threshold-percent", "5"}},
        {"diff_costs", {"diff", "costs.json", "costs_rank1.json"}},
        {"diff_shared", {"diff", "plan_serving.json", "plan_shared.json"}},
        {"diff_kinds", {"diff", "costs.json", "plan.json", "--json"}},
        {"explain", {"explain", "plan.json"}},
        {"explain_json", {"explain", "plan.json", "--json"}},
        {"explain_bucket", {"explain", "plan.json", "--bucket", "decode:8"}},
        {"explain_shared", {"explain", "plan_shared.json"}},
        {"explain_shared_json", {"explain", "plan_shared.json", "--json"}},
        {"explain_color", {"explain", "plan.json", "--color", "always"}},
        {"export_vllm", {"export", "plan_serving.json", "--for", "vllm"}},
        {"export_vllm_json", {"export", "plan_serving.json", "--for", "vllm", "--walk", "verify", "-o", "-"}},
        {"export_sglang", {"export", "plan_serving.json", "--for", "sglang"}},
        {"export_tensorrt_llm", {"export", "plan_serving.json", "--for", "tensorrt-llm", "-o", "-"}},
        {"export_lmdeploy", {"export", "plan_serving.json", "--for", "lmdeploy", "--json"}},
        {"export_shared", {"export", "plan_shared.json", "--for", "vllm"}},
        {"import_hf", {"import", "hf", "config.json", "--name", "llama-3.2-1b"}},
        {"import_hf_json", {"import", "hf", "config.json", "-q", "--json"}},
        {"schema", {"schema"}},
        {"devices", {"devices"}, true},
        {"devices_json", {"devices", "--json"}, true},
        {"completion_bash", {"completion", "bash"}},
    };
}

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

// What differs from build to build.
std::string masked(std::string text) {
    for (const auto& [value, mark] :
         {std::pair{graphplan::git_revision(), "REVISION"}, {graphplan::version(), "VERSION"}}) {
        for (std::size_t at = text.find(value); at != std::string::npos; at = text.find(value, at + 1)) {
            text.replace(at, value.size(), mark);
        }
    }
    return text;
}

std::string transcript(const std::vector<std::string>& arguments, const Outcome& outcome) {
    std::string line = "$ graphplan";
    for (const std::string& argument : arguments) line += " " + argument;
    std::string text = line + "\nexit " + std::to_string(outcome.exit_code) + "\n";
    if (!outcome.out.empty()) text += "--- stdout\n" + outcome.out;
    if (!outcome.err.empty()) text += "--- stderr\n" + outcome.err;
    return masked(text);
}

}  // namespace

TEST_CASE("Commands say what the golden files hold") {
    const InputFolder folder;
    const bool update = std::getenv("GRAPHPLAN_UPDATE_GOLDEN") != nullptr;
    for (const Golden& golden : goldens()) {
        if (kHasCuda && golden.names_gpus) continue;
        DYNAMIC_SECTION(golden.name) {
            const Outcome outcome = run(golden.arguments);
            const fs::path path =
                fs::path(GRAPHPLAN_SOURCE_DIR) / "tests/cli/golden" / (std::string(golden.name) + ".txt");
            const std::string text = transcript(golden.arguments, outcome);
            if (update) write(path, text);
            CHECK(read(path) == text);
            if (outcome.out.starts_with("{") && outcome.out.find("\"schema\"") != std::string::npos) {
                write(fs::path(GRAPHPLAN_PRODUCED_DIR) / (std::string(golden.name) + ".json"), outcome.out);
            }
        }
    }
}

TEST_CASE("Every golden file belongs to a command") {
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry :
         fs::directory_iterator(fs::path(GRAPHPLAN_SOURCE_DIR) / "tests/cli/golden"))
        ++files;
    CHECK(files == goldens().size());
}

TEST_CASE("The same input gives the same bytes") {
    const InputFolder folder;
    const Outcome first = run(size_with({"--sim-neighbour-mib", "64", "--sim-seed", "7", "--json"}));
    const Outcome second = run(size_with({"--sim-neighbour-mib", "64", "--sim-seed", "7", "--json"}));
    REQUIRE(first.exit_code == 0);
    CHECK(first.out == second.out);
}

TEST_CASE("The top-level help fits a screen and lists every command with a page") {
    const Outcome help = run({"--help"});
    CHECK(std::count(help.out.begin(), help.out.end(), '\n') <= 30);
    for (const std::string command :
         {"size", "bench", "plan", "verify", "replay", "ladder", "sweep", "simulate", "diff", "explain",
          "report", "import", "export", "schema", "devices", "completion"}) {
        CHECK(help.out.find("\n  " + command + " ") != std::string::npos);
        const Outcome page = run({command, "--help"});
        CHECK(page.exit_code == 0);
        CHECK(page.out.find("\nExamples:\n  ") != std::string::npos);
    }
}
