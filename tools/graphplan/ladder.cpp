#include "ladder.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "engine_names.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/planner.hpp"
#include "options.hpp"
#include "output.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

class LadderCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("TRAFFIC", path_, "A traffic document: how often each shape arrives")
            ->type_name("FILE");
        const std::string group = "Choice";
        app.add_option("--count", count_, "The N batch sizes of each walk that pad the fewest tokens")
            ->type_name("N")
            ->group(group);
        app.add_option("--from", from_, "An engine's default batch sizes, as far as the traffic reaches")
            ->type_name("vllm|sglang|tensorrt-llm|lmdeploy|seed")
            ->group(group);
        app.add_option("--walk", walks_, "Only this walk; repeatable. Default: all of the traffic's")
            ->type_name("WALK")
            ->expected(1)
            ->take_all()
            ->allow_extra_args(false)
            ->group(group);
        app.add_option("--node", node_, "The node of steps that name no pool. Default: llm, with a warning")
            ->type_name("NAME")
            ->group(group);
        add_common(app, common_, true);
        add_examples(app, {"graphplan ladder traffic.json --count 12 -o buckets.json",
                           "graphplan ladder traffic.json --from vllm --walk decode"});
    }

    int run(const Streams& streams) override {
        required(path_, "TRAFFIC", "ladder");
        LadderOptions options = check();
        const Output output(streams, common_, {path_});
        const Traffic traffic = parse_traffic(read_text(path_), output.reading());
        options.node = node_.value_or("llm");
        warn_of_node(traffic, output);
        const std::vector<WalkLadder> ladders = propose_ladders(traffic, options);
        for (const WalkLadder& ladder : ladders) warn_beyond(ladder, output);
        Buckets buckets;
        for (const WalkLadder& ladder : ladders) buckets.captures.push_back(ladder.capture);
        output.write([&] { return to_json(buckets); },
                     [&](std::ostream& out, const Paint& paint) { summarize(out, paint, ladders); });
        return 0;
    }

  private:
    LadderOptions check() const {
        if (count_.has_value() == from_.has_value()) {
            throw Error(ErrorCode::invalid_argument,
                        "give either --count N, for the best N sizes, or --from ENGINE, for an engine's own");
        }
        LadderOptions options;
        constexpr std::int64_t most = 10'000;
        if (count_) options.count = parse_integer("--count", *count_, 1, most);
        if (from_) options.from = parse_engine("--from", *from_, true);
        options.walks = walks_;
        return options;
    }

    void warn_of_node(const Traffic& traffic, const Output& output) const {
        const bool unnamed = std::any_of(traffic.steps.begin(), traffic.steps.end(),
                                         [](const TrafficStep& step) { return !step.pool; });
        if (!unnamed || node_) return;
        output.warn("some steps name no pool: their node is called \"llm\" here; --node NAME says its name");
    }

    static void warn_beyond(const WalkLadder& ladder, const Output& output) {
        if (ladder.beyond_ladder_weight <= 0) return;
        output.warn(
            fmt::format("steps of weight {:g} of walk {} are larger than every size of that engine: they "
                        "would run eagerly; --count N covers them",
                        ladder.beyond_ladder_weight, printable(ladder.capture.walk)));
    }

    void summarize(std::ostream& out, const Paint& paint, const std::vector<WalkLadder>& ladders) const {
        for (const WalkLadder& ladder : ladders) {
            const CaptureConfig& capture = ladder.capture;
            const std::string key = capture.key ? fmt::format("[{}]", printable(*capture.key)) : "";
            out << paint.bold(fmt::format("{}: {}{}", printable(capture.node), printable(capture.walk), key))
                << fmt::format(": {} for {} that arrive, {:.1f} % of tokens are padding\n",
                               counted(capture.batch_sizes.size(), "batch size"), ladder.arriving,
                               100 * ladder.padding_waste);
            const std::string sizes = fmt::format("{}", fmt::join(capture.batch_sizes, " "));
            constexpr std::size_t width = 100;
            for (const std::string& line : wrap(sizes, width)) out << "  " << line << '\n';
        }
        print_next(out, paint,
                   common_.has_output() && !common_.to_stdout()
                       ? "graphplan size model.json -b " + shell_word(common_.output) + " -o costs.json"
                       : "the same command with -o buckets.json writes the buckets");
    }

    std::string path_;
    std::optional<std::string> count_, from_, node_;
    std::vector<std::string> walks_;
    CommonOptions common_;
};

}  // namespace

std::unique_ptr<Command> make_ladder_command() { return std::make_unique<LadderCommand>(); }

}  // namespace graphplan::cli
