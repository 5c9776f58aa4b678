#include "bench.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "backends.hpp"
#include "child_process.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/planner.hpp"
#include "interrupts.hpp"
#include "model_inputs.hpp"
#include "options.hpp"
#include "output.hpp"
#include "timing_run.hpp"
#include "timing_words.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

constexpr double kMillisecond = 1000;  // in microseconds

class BenchCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("MODEL", model_path_, "A model document: what runs")->type_name("FILE");
        app.add_option("-b,--buckets", buckets_path_, "A buckets document: what to time")
            ->type_name("FILE")
            ->group("Required");
        declare_choice(app);
        declare_timing(app);
        device_.declare(app);
        app.add_option("--format", format_, "How times are written; json is --json. Default: text")
            ->type_name("text|json|csv")
            ->group("Output");
        add_common(app, common_, true);
        add_examples(app, {"graphplan bench model.json -b buckets.json --backend sim",
                           "graphplan bench model.json -b buckets.json --walk decode -o times.json"});
    }

    int run(const Streams& streams) override {
        required(model_path_, "MODEL", "bench");
        required(buckets_path_, "-b BUCKETS", "bench");
        if (format_ == "json" && common_.output.empty()) common_.json = true;
        check();
        const Output output(streams, common_, {model_path_, buckets_path_});
        ReadOptions reading = output.reading();
        if (is_part()) reading.log = nullptr;  // the process that started this one has warned
        const ModelInputs inputs = read_model_inputs(model_path_, buckets_path_, reading);
        check_walks(inputs.buckets);

        const Interrupts::Deferral deferral(streams.environment.interrupts);
        const TimingRun run{inputs.model,      inputs.buckets,       device_, options_, selection(),
                            child_arguments(), isolate_ == "process"};
        Timings timings = is_part() ? time_here(run, part_, streams, output) : time_all(run, streams, output);
        if (timings.interrupted && timings.buckets.empty())
            throw Error(ErrorCode::interrupted,
                        "interrupted before anything was measured; nothing was written");
        stamp(timings.provenance, inputs.input_sha256);
        output.write_what_is_there(
            [&] { return format_ == "csv" && !is_part() ? to_csv(timings) : to_document(timings); },
            [&](std::ostream& out, const Paint& paint) { summarize(out, paint, timings, output.verbose()); });
        return exit_code_of(timings);
    }

  private:
    void declare_choice(CLI::App& app) {
        const std::string group = "Choice";
        app.add_option("--walk", walks_, "Time only this walk or region; repeatable. Default: all of them")
            ->type_name("NAME")
            ->expected(1)
            ->take_all()
            ->allow_extra_args(false)
            ->group(group);
        app.add_option("--bucket", bucket_texts_, "Time only this bucket; repeatable. Default: all of them")
            ->type_name("WALK:BS[:TOKENS]")
            ->expected(1)
            ->take_all()
            ->allow_extra_args(false)
            ->group(group);
    }

    void declare_timing(CLI::App& app) {
        const std::string group = "Timing";
        app.add_option("--warmup-ms", warmup_, "Warm each bucket up for so many ms, 0 to 10000. Default: 25")
            ->type_name("N")
            ->group(group);
        app.add_option("--budget-ms", budget_,
                       "How many ms the forwards of a graph, and the eager samples, take, 1 to 10000. "
                       "Default: 100")
            ->type_name("N")
            ->group(group);
        app.add_option("--replays", replays_, "How often the graph is replayed, 1 to 1000. Default: 10")
            ->type_name("N")
            ->group(group);
        app.add_flag("--flush-l2", options_.flush_l2,
                     "Drive everything out of the L2 before each forward, untimed. Default: off")
            ->group(group);
        app.add_option(
               "--isolate", isolate_,
               "process: time in processes of their own, so that one that breaks its context holds no "
               "memory; none: only what comes after such a bucket. Default: none")
            ->type_name("process|none")
            ->group(group);
        app.add_option("--from", from_)->group("");
        app.add_option("--count", count_)->group("");
    }

    void check() {
        constexpr std::int64_t most_warmup = 10'000, most_budget = 10'000, most_replays = 1000;
        constexpr std::int64_t most_buckets = 1 << 30;
        if (warmup_)
            options_.warmup_us = kMillisecond * static_cast<double>(parse_integer("--warmup-ms", *warmup_, 0,
                                                                                  most_warmup, "ms"));
        if (budget_)
            options_.budget_us = kMillisecond * static_cast<double>(parse_integer("--budget-ms", *budget_, 1,
                                                                                  most_budget, "ms"));
        if (replays_)
            options_.replays = static_cast<int>(parse_integer("--replays", *replays_, 1, most_replays));
        if (from_) end_with_parent();
        if (from_) part_.first = static_cast<std::size_t>(parse_integer("--from", *from_, 0, most_buckets));
        if (count_)
            part_.count = static_cast<std::size_t>(parse_integer("--count", *count_, 1, most_buckets));
        for (const std::string& text : bucket_texts_) chosen_.push_back(parse_must(text, "--bucket"));
        device_.check();
    }

    bool is_part() const noexcept { return from_.has_value(); }

    // A walk is called by its name, or by that and one key: "decode[cfg]".
    static bool is_called(const std::string& name, const std::string& walk,
                          const std::optional<std::string>& key) {
        return name == walk || (key && name == fmt::format("{}[{}]", walk, *key));
    }

    void check_walks(const Buckets& buckets) const {
        std::vector<std::string> known;
        for (const CaptureConfig& config : buckets.captures) known.push_back(config.walk);
        for (const std::string& name : walks_) {
            const bool found =
                std::any_of(buckets.captures.begin(), buckets.captures.end(),
                            [&](const auto& config) { return is_called(name, config.walk, config.key); });
            if (found) continue;
            throw Error(ErrorCode::invalid_argument,
                        fmt::format("--walk {}: the buckets document has no such walk or region.{}",
                                    graphplan::quoted(name), suggestion(name, known)));
        }
    }

    std::function<bool(const BucketSpec&)> selection() const {
        return [this](const BucketSpec& bucket) {
            const bool walk =
                walks_.empty() || std::any_of(walks_.begin(), walks_.end(), [&](const auto& name) {
                    return is_called(name, bucket.id.walk, bucket.id.key);
                });
            return walk &&
                   (chosen_.empty() || std::any_of(chosen_.begin(), chosen_.end(),
                                                   [&](const auto& one) { return matches(one, bucket.id); }));
        };
    }

    std::vector<std::string> child_arguments() const {
        std::vector<std::string> arguments{"bench", model_path_, "-b", buckets_path_, "-o", "-"};
        const auto add = [&](const char* option, const std::optional<std::string>& value) {
            if (value) arguments.insert(arguments.end(), {option, *value});
        };
        add("--warmup-ms", warmup_);
        add("--budget-ms", budget_);
        add("--replays", replays_);
        for (const std::string& walk : walks_) add("--walk", walk);
        for (const std::string& bucket : bucket_texts_) add("--bucket", bucket);
        if (options_.flush_l2) arguments.emplace_back("--flush-l2");
        const std::vector<std::string> device = device_.arguments();
        arguments.insert(arguments.end(), device.begin(), device.end());
        return arguments;
    }

    void summarize(std::ostream& out, const Paint& paint, const Timings& timings, bool everything) const {
        if (is_part()) return;
        if (format_ == "csv" && !common_.has_output()) {
            out << to_csv(timings);
            return;
        }
        print_timings(out, paint, timings, everything);
        if (timings.left > 0 && common_.has_output() && !common_.to_stdout())
            out << "what was measured stands in " << printable(common_.output) << '\n';
        if (!common_.has_output())
            print_next(out, paint, "the same command with -o times.json writes the times");
    }

    std::string model_path_, buckets_path_, format_ = "text", isolate_ = "none";
    std::vector<std::string> walks_, bucket_texts_;
    std::optional<std::string> warmup_, budget_, replays_, from_, count_;
    std::vector<MustCapture> chosen_;
    TimingOptions options_;
    TimingPart part_;
    DeviceChoice device_;
    CommonOptions common_;
};

}  // namespace

std::unique_ptr<Command> make_bench_command() { return std::make_unique<BenchCommand>(); }

}  // namespace graphplan::cli
