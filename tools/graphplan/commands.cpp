#include "bench.hpp"
#include "command.hpp"
#include "completion.hpp"
#include "devices.hpp"
#include "diff.hpp"
#include "explain.hpp"
#include "export.hpp"
#include "import.hpp"
#include "ladder.hpp"
#include "plan.hpp"
#include "replay.hpp"
#include "report.hpp"
#include "schema.hpp"
#include "simulate.hpp"
#include "size.hpp"
#include "sweep.hpp"
#include "verify.hpp"

namespace graphplan::cli {

std::vector<CommandEntry> all_commands() {
    std::vector<CommandEntry> commands;
    const auto add = [&commands](const char* name, const char* summary, std::unique_ptr<Command> command) {
        commands.push_back({name, summary, std::move(command)});
    };
    add("size", "Measure what each graph costs", make_size_command());
    add("plan", "Choose which graphs to capture in the memory that is left", make_plan_command());
    add("verify", "Capture a plan and compare what it takes with what was predicted", make_verify_command());
    add("replay", "Capture a plan and drive steps through its graphs", make_replay_command());
    add("ladder", "Propose bucket sizes for traffic", make_ladder_command());
    add("sweep", "Say which graphs fit into which budget", make_sweep_command());
    add("bench", "Time each bucket, eagerly and replayed", make_bench_command());
    add("simulate", "Run a recorded trace through the allocator", make_simulate_command());
    add("diff", "Say what changed between two plans or two costs", make_diff_command());
    add("explain", "Say why a plan is as it is", make_explain_command());
    add("report", "Draw where the memory goes, as one page", make_report_command());
    add("import", "Turn another tool's description of a model into a document", make_import_command());
    add("export", "Say a plan in another engine's options", make_export_command());
    add("schema", "Print a document kind's JSON Schema", make_schema_command());
    add("devices", "List the backends and devices of this build", make_devices_command());
    add("completion", "Print a completion script for a shell", make_completion_command());
    return commands;
}

}  // namespace graphplan::cli
