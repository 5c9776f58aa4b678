#include "serving.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "graphplan/documents.hpp"
#include "interrupts.hpp"
#include "progress.hpp"
#include "terminal.hpp"

namespace graphplan::cli {

std::string change_line(const Change& change) {
    const std::string where = printable(change.where);
    if (change.kind == Change::Kind::removed) return where + ": planned, and no bucket here";
    if (change.kind == Change::Kind::added) return where + ": a bucket here, and not in the plan";
    return fmt::format("{}: {}: the plan says {}, here it is {}", where, printable(change.what),
                       printable(change.before), change.after.empty() ? "unknown" : printable(change.after));
}

void ServingOptions::declare(CLI::App& app, const std::string& weights) {
    weights_ = weights;
    app.add_option("PLAN", plan_path_, "A plan document: what to capture, in which order")->type_name("FILE");
    app.add_option("MODEL", model_path_, "The model document that was sized")->type_name("FILE");
    app.add_option("-b,--buckets", buckets_path_, "The buckets document that was sized")
        ->type_name("FILE")
        ->group("Required");
    const std::string group = "Capturing";
    app.add_flag("--require-graphs", require_graphs_,
                 "A bucket that cannot be captured is an error. Default: it is dropped and runs eagerly; "
                 "GRAPHPLAN_REQUIRE_GRAPHS=1 asks for it too")
        ->group(group);
    app.add_option("--warmup", warmup_,
                   "Eager forwards of each slot before anything is captured, 0 to 100. Default: 2")
        ->type_name("N")
        ->group(group);
    app.add_option(
           "--weights", weights_,
           "shared: one layer's weights stand in for all; full: load every layer's. Default: " + weights)
        ->type_name("shared|full")
        ->group(group);
    device_.declare(app);
    allocator_.declare(app, "the plan says");
}

void ServingOptions::check(std::string_view command) {
    required(plan_path_, "PLAN", command);
    required(model_path_, "MODEL", command);
    required(buckets_path_, "-b BUCKETS", command);
    if (warmup_) warmups_ = static_cast<int>(parse_integer("--warmup", *warmup_, 0, 100));
    allocator_.check();
    device_.check();
}

ReplayOptions ServingOptions::replay_options(const Streams& streams, const Output& output,
                                             Progress& progress) const {
    ReplayOptions options;
    options.require_graphs = require_graphs_ || streams.environment.require_graphs;
    options.warmup_forwards = warmups_;
    options.stop = streams.stop();
    options.log = progress.around(output.log());
    options.progress = progress.of_buckets();
    return options;
}

std::unique_ptr<Serving> ServingOptions::load(const Output& output) const {
    auto serving = std::make_unique<Serving>();
    serving->plan = parse_plan(read_text(plan_path_), output.reading());
    serving->inputs = read_model_inputs(model_path_, buckets_path_, output.reading());
    return serving;
}

void ServingOptions::capture(Serving& serving, const Streams& streams, const Output& output) const {
    serving.device = device_.open();
    EngineOptions options;
    options.allocator =
        allocator_.given() ? allocator_.options() : serving.plan.allocator.value_or(AllocatorOptions{});
    options.share_weights = weights_ == "shared";
    options.seed = device_.seed();
    options.weight_seed = device_.seed();
    serving.engine = make_interpreter(*serving.device, serving.inputs.model, serving.inputs.buckets, options);
    serving.difference = compare(serving.plan, *serving.engine, serving.inputs.input_sha256);
    for (const Change& change : serving.difference.changes) output.warn(change_line(change));
    Progress progress(streams.err, streams.environment.err_is_terminal, !output.quiet());
    serving.session = std::make_unique<ReplaySession>(*serving.engine, serving.inputs.buckets, serving.plan,
                                                      replay_options(streams, output, progress));
    serving.report = serving.session->capture();
}

}  // namespace graphplan::cli
