#include "size.hpp"

#include <chrono>
#include <optional>
#include <span>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "backends.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/engine.hpp"
#include "graphplan/planner.hpp"
#include "graphplan/sizing.hpp"
#include "interrupts.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "size_summary.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

std::string time_now() {
    const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
}

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
        declare_allocator(app);
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
        const DocumentText model_text = read_text(model_path_), buckets_text = read_text(buckets_path_);
        const Model model = parse_model(model_text, output.reading());
        const Buckets buckets = parse_buckets(buckets_text, output.reading());
        check_model(model);
        check_buckets(buckets, model);

        const Interrupts::Deferral deferral(streams.environment.interrupts);
        const std::unique_ptr<Device> device = device_.open();
        Costs costs = measure(*device, model, buckets, streams, output);
        stamp(costs, *device, model_text, buckets_text);
        output.write(
            [&] { return to_json(costs); },
            [&](std::ostream& out, const Paint& paint) { summarize(out, paint, costs, output.verbose()); });
        return 0;
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
               "--free-mib", free_mib_,
               "Plan within this many MiB; where graphs don't fit, capture the lent ones too. Default: "
               "don't plan")
            ->type_name("N")
            ->group(group);
    }

    void declare_allocator(CLI::App& app) {
        const std::string group = "Caching allocator, as in PYTORCH_CUDA_ALLOC_CONF";
        app.add_flag("--expandable-segments", allocator_.expandable_segments,
                     "Map memory behind growing ranges. Default: off")
            ->group(group);
        app.add_option("--max-split-size-mb", max_split_,
                       "Blocks of this many MiB or more are not split. Default: none")
            ->type_name("N")
            ->group(group);
        app.add_option(
               "--roundup-power2-divisions", divisions_,
               "Round sizes up to a power of two divided by this, itself a power of two. Default: 0, off")
            ->type_name("N")
            ->group(group);
    }

    void check() {
        if (warmup_) warmups_ = static_cast<int>(parse_integer("--warmup", *warmup_, 1, 100));
        free_bytes_ = parse_mib("--free-mib", free_mib_);
        constexpr std::int64_t least_split = 21;
        if (max_split_) {
            allocator_.max_split_size_mb =
                parse_integer("--max-split-size-mb", *max_split_, least_split, kMostMib, "MiB");
        }
        if (divisions_) allocator_.roundup_power2_divisions = parse_divisions(*divisions_);
        device_.check();
    }

    static std::int64_t parse_divisions(const std::string& text) {
        constexpr std::int64_t most = 64;
        const std::int64_t value = parse_integer("--roundup-power2-divisions", text, 0, most);
        if ((value & (value - 1)) == 0) return value;
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("--roundup-power2-divisions: expected 0 or a power of two, found {}", value));
    }

    Costs measure(Device& device, const Model& model, const Buckets& buckets, const Streams& streams,
                  const Output& output) {
        EngineOptions engine_options;
        engine_options.allocator = allocator_;
        engine_options.share_weights = true;
        engine_options.seed = device_.seed();
        const std::unique_ptr<Engine> engine = make_interpreter(device, model, buckets, engine_options);

        Progress progress(streams.err, streams.environment.err_is_terminal, !output.quiet());
        Sizing sizing(*engine, sizing_options(streams, output, progress));
        Costs costs = sizing.run();
        costs.source = "the costs just measured";
        if (free_bytes_) plan_and_correct(costs, sizing);
        return costs;
    }

    SizingOptions sizing_options(const Streams& streams, const Output& output, Progress& progress) const {
        SizingOptions options;
        options.size_by = size_by_ == "capture" ? SizedBy::capture : SizedBy::lend;
        options.warmup_forwards = warmups_;
        if (streams.environment.interrupts != nullptr) options.stop = streams.environment.interrupts->token();
        options.log = [&progress, log = output.log()](LogLevel level, std::string_view text) {
            progress.clear();
            log(level, text);
        };
        options.progress = [&progress](std::size_t done, std::size_t total, const BucketSpec& next) {
            progress.report(done, total,
                            fmt::format("{}: {}", printable(next.pool), printable(to_string(next.id))));
        };
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

    static void stamp(Costs& costs, const Device& device, const DocumentText& model,
                      const DocumentText& buckets) {
        costs.provenance.tool_version = version();
        costs.provenance.git_revision = git_revision();
        costs.provenance.input_sha256["model"] = model.sha256;
        costs.provenance.input_sha256["buckets"] = buckets.sha256;
        if (device.capabilities().backend != "sim") costs.provenance.time = time_now();
    }

    void summarize(std::ostream& out, const Paint& paint, const Costs& costs, bool everything) const {
        print_costs(out, paint, costs, everything);
        if (plan_) print_within(out, *plan_, *free_bytes_);
        const std::string costs_path =
            common_.output.empty() || common_.to_stdout() ? "costs.json" : shell_word(common_.output);
        const std::string free = free_bytes_ ? fmt::format(" --free-mib {}", *free_bytes_ / kMiB) : "";
        if (!common_.has_output())
            print_next(out, paint, "the same command with -o costs.json writes the costs");
        else
            print_next(out, paint, fmt::format("graphplan plan {}{} -o plan.json", costs_path, free));
    }

    std::string model_path_, buckets_path_, size_by_ = "lend";
    std::optional<std::string> warmup_, free_mib_, max_split_, divisions_;
    int warmups_ = 2;
    std::optional<Bytes> free_bytes_;
    AllocatorOptions allocator_;
    DeviceChoice device_;
    CommonOptions common_;
    std::optional<PlanResult> plan_;
};

}  // namespace

std::unique_ptr<Command> make_size_command() { return std::make_unique<SizeCommand>(); }

}  // namespace graphplan::cli
