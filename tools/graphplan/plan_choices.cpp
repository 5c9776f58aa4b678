#include "plan_choices.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "graphplan/documents.hpp"
#include "options.hpp"

namespace graphplan::cli {

void PlanChoices::declare_reuse(CLI::App& app) {
    const std::string group = "Budget";
    app.add_flag("--same-process", same_process_,
                 "The process that measured will capture: memory that it holds counts. Default: another one")
        ->group(group);
    app.add_option("--reusable-mib", reusable_mib_,
                   "The most held memory to count, in MiB, with --same-process. Default: no limit")
        ->type_name("N")
        ->group(group);
}

void PlanChoices::declare_choice(CLI::App& app) {
    const std::string group = "Choice";
    app.add_option("--memory-model", memory_model_,
                   "How a pool is predicted: by whole segments, or exactly, by running recorded "
                   "allocations. Default: exact where every graph has a trace")
        ->type_name("segments|exact")
        ->group(group);
    app.add_option("--outputs", outputs_,
                   "per_graph: each graph keeps its outputs in the pool; shared: the graphs of a walk and "
                   "slot write theirs into one buffer outside it. Default: per_graph")
        ->type_name("per_graph|shared")
        ->group(group);
    app.add_option("--objective", objective_,
                   "count: as many buckets as fit; latency: those with which the steps of --traffic take "
                   "the least time. Default: count")
        ->type_name("count|latency")
        ->group(group);
    app.add_option("--traffic", traffic_path_,
                   "A traffic document: how often each shape arrives. Default: none, for count")
        ->type_name("FILE")
        ->group(group);
    app.add_option("--must", must_,
                   "A bucket that has to be in the plan, else exit 1; repeatable. Default: none")
        ->type_name("WALK:BS[:TOKENS]")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false)
        ->group(group);
    app.add_flag("--require-all", require_all_,
                 "Every bucket that is not denied has to be in the plan, else exit 1; one that "
                 "could not be captured counts")
        ->group(group);
}

PlanOptions PlanChoices::check() const {
    PlanOptions options;
    options.same_process = same_process_;
    options.reusable_bytes = parse_mib("--reusable-mib", reusable_mib_);
    if (memory_model_) {
        options.memory_model = *memory_model_ == "exact" ? MemoryModel::exact : MemoryModel::segments;
    }
    options.outputs = outputs_ == "shared" ? Outputs::shared : Outputs::per_graph;
    for (const std::string& text : must_) options.must.push_back(parse_must(text));
    options.require_all = require_all_;
    options.objective = objective_ == "latency" ? Objective::latency : Objective::count;
    if (options.objective == Objective::latency && traffic_path_.empty()) {
        throw Error(ErrorCode::invalid_argument,
                    "--objective latency needs the traffic to plan for: give it with --traffic FILE");
    }
    return options;
}

void PlanChoices::read_traffic(const Output& output, PlanOptions& options) {
    if (traffic_path_.empty()) return;
    const DocumentText document = read_text(traffic_path_);
    traffic_sha256_ = document.sha256;
    options.traffic = parse_traffic(document, output.reading());
}

std::vector<std::string> PlanChoices::inputs(std::vector<std::string> others) const {
    if (!traffic_path_.empty()) others.push_back(traffic_path_);
    return others;
}

}  // namespace graphplan::cli
