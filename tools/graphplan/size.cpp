#include "size.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "allocator_choice.hpp"
#include "backends.hpp"
#include "child_process.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/engine.hpp"
#include "graphplan/planner.hpp"
#include "graphplan/sizing.hpp"
#include "interrupts.hpp"
#include "isolation.hpp"
#include "model_inputs.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "size_summary.hpp"
#include "timing_run.hpp"
#include "timing_words.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

bool leaves_graphs_out(const Plan& plan) {
    for (const PoolPlan& pool : plan.pools) {
        for (const EagerBucket& bucket : pool.eager) {
            if (bucket.reason == EagerReason::does_not_fit) return true;
        }
    }
    return false;
}

PlanResult plan_within(const Costs& costs, Bytes free_bytes) {
    PlanOptions options;
    options.free_bytes = free_bytes;
    return make_plan(std::span(&costs, 1), options);
}

class SizeCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("MODEL", model_path_, "A model document: what runs")->type_name("FILE");
        app.add_option("-b,--buckets", buckets_path_, "A buckets document: what to capture")
            ->type_name("FILE")
            ->group("Required");
        declare_measuring(app);
        device_.declare(app);
        allocator_.declare(app);
        add_common(app, common_, true);
        add_examples(
            app, {"graphplan size model.json -b buckets.json --backend sim -o costs.json",
                  "graphplan size model.json -b buckets.json --backend sim --free-mib 2048 -o costs.json"});
    }

    int run(const Streams& streams) override {
        required(model_path_, "MODEL", "size");
        required(buckets_path_, "-b BUCKETS", "size");
        check();
        const Output output(streams, common_, {model_path_, buckets_path_});
        const ModelInputs inputs = read_model_inputs(model_path_, buckets_path_, output.reading());

        const Interrupts::Deferral deferral(streams.environment.interrupts);
        Costs costs =
            isolate_ == "walk" ? measure_isolated(inputs, streams, output) : measure(inputs, streams, output);
        int code = lost_.empty() ? 0 : 1;
        if (time_ && !streams.stop().stop_requested())
            code = std::max(code, time(costs, inputs, streams, output));
        stamp(costs.provenance, inputs.input_sha256);
        const auto summary = [&](std::ostream& out, const Paint& paint) {
            summarize(out, paint, costs, output.verbose());
        };
        // Sizes are whole once timing has begun: they are kept, with the times there are.
        if (timed_) {
            output.write_what_is_there([&] { return to_json(costs); }, summary);
        } else {
            output.write([&] { return to_json(costs); }, summary);
        }
        for (const std::string& walk : lost_) output.warn(walk + ". The costs leave it out, its floor too");
        return code;
    }

  private:
    void declare_measuring(CLI::App& app) {
        const std::string group = "Measuring";
        app.add_option("--size-by", size_by_,
                       "lend: capture the first buckets of a walk and size the rest from them; capture: "
                       "capture every bucket. Default: lend")
            ->type_name("lend|capture")
            ->group(group);
        app.add_option("--warmup", warmup_,
                       "Eager forwards of each slot before its capture, 1 to 100. Default: 2")
            ->type_name("N")
            ->group(group);
        app.add_option(
               "--weights", weights_,
               "shared: one layer's weights stand in for all; full: load every layer's. Default: shared")
            ->type_name("shared|full")
            ->group(group);
        app.add_option("--isolate", isolate_,
                       "walk: size each walk in a process of its own, so that one that breaks its context "
                       "costs only itself. Default: none")
            ->type_name("walk|none")
            ->group(group);
        app.add_flag("--time", time_,
                     "Time each bucket too, eagerly and replayed, as bench does with its defaults and all "
                     "weights. Default: off")
            ->group(group);
        app.add_option("--only-walk", only_walk_)->group("");
        app.add_option("--warm-only", warm_only_)->group("");
        app.add_option(
               "--free-mib", free_mib_,
               "Plan within this many MiB; where graphs don't fit, capture the lent ones too. Default: "
               "don't plan")
            ->type_name("N")
            ->group(group);
    }

    void check() {
        if (warmup_) warmups_ = static_cast<int>(parse_integer("--warmup", *warmup_, 1, 100));
        free_bytes_ = parse_mib("--free-mib", free_mib_);
        constexpr std::int64_t most_walks = 1 << 20;
        if (only_walk_) end_with_parent();
        if (only_walk_)
            only_ = static_cast<std::size_t>(parse_integer("--only-walk", *only_walk_, 0, most_walks));
        allocator_.check();
        device_.check();
    }

    Costs measure(const ModelInputs& inputs, const Streams& streams, const Output& output) {
        const std::unique_ptr<Device> device = device_.open();
        EngineOptions engine_options;
        engine_options.allocator = allocator_.options();
        engine_options.share_weights = weights_ == "shared";
        engine_options.seed = device_.seed();
        const std::unique_ptr<Engine> engine =
            make_interpreter(*device, inputs.model, inputs.buckets, engine_options);

        Progress progress(streams.err, streams.environment.err_is_terminal, !output.quiet());
        SizingOptions options = sizing_options(streams, output, progress);
        if (only_) options.select = selection(inputs.buckets);
        if (!warm_only_.empty()) options.refusal = Failure{Failure::Kind::capture, warm_only_};
        Sizing sizing(*engine, std::move(options));
        Costs costs = sizing.run();
        costs.source = "the costs just measured";
        if (free_bytes_) plan_and_correct(costs, sizing);
        return costs;
    }

    std::function<bool(const BucketSpec&)> selection(const Buckets& buckets) const {
        const std::vector<WalkName> walks = walks_of(buckets);
        if (*only_ >= walks.size()) {
            throw Error(ErrorCode::invalid_argument, fmt::format("--only-walk: there is no walk {}", *only_));
        }
        return [walk = walks[*only_]](const BucketSpec& bucket) { return walk.names(bucket); };
    }

    Costs measure_isolated(const ModelInputs& inputs, const Streams& streams, const Output& output) {
        Progress progress(streams.err, streams.environment.err_is_terminal, !output.quiet());
        const auto report = [&](std::size_t done, std::size_t total, const WalkName& walk) {
            if (streams.stop().stop_requested())
                throw Error(ErrorCode::interrupted, "interrupted; nothing was written");
            progress.report(done, total, printable(to_string(walk)));
        };
        const auto sized_by = [&](const std::string& how) {
            IsolatedCosts isolated =
                size_isolated(inputs.model, inputs.buckets, child_arguments(how), report, streams.stop());
            lost_ = std::move(isolated.lost);
            isolated.costs.source = "the costs just measured";
            return std::move(isolated.costs);
        };
        Costs costs = sized_by(size_by_);
        if (!free_bytes_) return costs;
        plan_ = plan_within(costs, *free_bytes_);
        if (!leaves_graphs_out(plan_->plan) || size_by_ == "capture") return costs;
        costs = sized_by("capture");
        plan_ = plan_within(costs, *free_bytes_);
        return costs;
    }

    // On a device of its own: what sizing held, and the weights that it shared, are gone.
    int time(Costs& costs, const ModelInputs& inputs, const Streams& streams, const Output& output) {
        std::vector<std::string> child{"bench", model_path_, "-b", buckets_path_, "-o", "-"};
        const std::vector<std::string> device = device_.arguments();
        child.insert(child.end(), device.begin(), device.end());
        const TimingRun run{inputs.model, inputs.buckets,   device_,           {},
                            {},           std::move(child), isolate_ == "walk"};
        timed_ = true;
        try {
            timings_ = time_all(run, streams, output);
        } catch (const Error& error) {  // the sizes stand all the same
            output.warn(fmt::format("not timed: {}", error.what()));
            return 1;
        }
        add_times(costs, *timings_);
        return exit_code_of(*timings_);
    }

    std::vector<std::string> child_arguments(const std::string& size_by) const {
        std::vector<std::string> arguments{"size", model_path_, "-b",    buckets_path_, "-o",    "-",
                                           "-q",   "--size-by", size_by, "--weights",   weights_};
        const auto add = [&](const char* option, const std::optional<std::string>& value) {
            if (value) arguments.insert(arguments.end(), {option, *value});
        };
        add("--warmup", warmup_);
        for (const std::vector<std::string>& more : {allocator_.arguments(), device_.arguments()}) {
            arguments.insert(arguments.end(), more.begin(), more.end());
        }
        return arguments;
    }

    SizingOptions sizing_options(const Streams& streams, const Output& output, Progress& progress) const {
        SizingOptions options;
        options.size_by = size_by_ == "capture" ? SizedBy::capture : SizedBy::lend;
        options.warmup_forwards = warmups_;
        options.stop = streams.stop();
        options.log = progress.around(output.log());
        options.progress = progress.of_buckets();
        return options;
    }

    // A plan that leaves graphs out may owe that to a size that was only lent.
    void plan_and_correct(Costs& costs, Sizing& sizing) {
        plan_ = plan_within(costs, *free_bytes_);
        if (!leaves_graphs_out(plan_->plan) || !sizing.has_lent()) return;
        costs = sizing.capture_lent();
        costs.source = "the costs just measured";
        plan_ = plan_within(costs, *free_bytes_);
    }

    void summarize(std::ostream& out, const Paint& paint, const Costs& costs, bool everything) const {
        print_costs(out, paint, costs, everything);
        if (timings_) {
            out << '\n';
            print_timings(out, paint, *timings_, everything);
        }
        if (plan_) print_within(out, *plan_, *free_bytes_);
        const std::string costs_path =
            common_.output.empty() || common_.to_stdout() ? "costs.json" : shell_word(common_.output);
        const std::string free = free_bytes_ ? fmt::format(" --free-mib {}", *free_bytes_ / kMiB) : "";
        if (!common_.has_output())
            print_next(out, paint, "the same command with -o costs.json writes the costs");
        else
            print_next(out, paint, fmt::format("graphplan plan {}{} -o plan.json", costs_path, free));
    }

    std::string model_path_, buckets_path_, size_by_ = "lend", weights_ = "shared", isolate_ = "none",
                                            warm_only_;
    std::optional<std::string> warmup_, free_mib_, only_walk_;
    std::optional<std::size_t> only_;
    bool time_ = false, timed_ = false;
    std::optional<Timings> timings_;
    std::vector<std::string> lost_;
    int warmups_ = 2;
    std::optional<Bytes> free_bytes_;
    AllocatorChoice allocator_;
    DeviceChoice device_;
    CommonOptions common_;
    std::optional<PlanResult> plan_;
};

}  // namespace

std::unique_ptr<Command> make_size_command() { return std::make_unique<SizeCommand>(); }

}  // namespace graphplan::cli
