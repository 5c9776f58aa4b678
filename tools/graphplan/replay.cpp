#include "replay.hpp"

#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "graphplan/documents.hpp"
#include "interrupts.hpp"
#include "replay_run.hpp"
#include "replay_summary.hpp"
#include "serving.hpp"

namespace graphplan::cli {
namespace {

constexpr int kInterrupted = 130;

class ReplayCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        serving_.declare(app, "full");
        const std::string group = "Steps";
        app.add_option("--traffic", traffic_path_,
                       "A traffic document: which shapes arrive, how often. Default: any shape that the "
                       "buckets are for")
            ->type_name("FILE")
            ->group(group);
        app.add_option("--steps", steps_text_, "How many steps to run, 1 to 1000000. Default: 1000")
            ->type_name("N")
            ->group(group);
        app.add_option("--seed", seed_text_,
                       "Seed of the draw of steps and of what they bring: token ids, positions in pages of a "
                       "row's own, "
                       "floats; integers that the model sets no range for are 0. Default: 0")
            ->type_name("N")
            ->group(group);
        add_common(app, common_, true);
        add_examples(app,
                     {"graphplan replay plan.json model.json -b buckets.json --backend sim",
                      "graphplan replay plan.json model.json -b buckets.json --traffic traffic.json --json"});
    }

    int run(const Streams& streams) override {
        serving_.check("replay");
        check();
        std::vector<std::string> inputs = serving_.paths();
        if (!traffic_path_.empty()) inputs.push_back(traffic_path_);
        const Output output(streams, common_, inputs);
        std::optional<Traffic> traffic;
        if (!traffic_path_.empty()) traffic = parse_traffic(read_text(traffic_path_), output.reading());
        const std::unique_ptr<Serving> serving = serving_.load(output);
        TrafficSource source = traffic ? TrafficSource(*traffic, serving->inputs.buckets, seed_)
                                       : TrafficSource(serving->inputs.buckets, seed_);
        const Interrupts::Deferral deferral(streams.environment.interrupts);
        serving_.capture(*serving, streams, output);
        const ReplayRun result = run_steps(*serving, source, steps_, seed_, streams.stop());
        const bool all = static_cast<std::int64_t>(result.steps()) == steps_;
        if (!all) output.warn(fmt::format("interrupted after {} of {} steps", result.steps(), steps_));
        output.write_what_is_there([&] { return to_json(*serving, result); },
                                   [&](std::ostream& out, const Paint& paint) {
                                       print_replay(out, paint, *serving, result, output.verbose());
                                   });
        return all ? 0 : kInterrupted;
    }

  private:
    void check() {
        constexpr std::int64_t most_steps = 1'000'000;
        constexpr std::int64_t most_seeds = std::int64_t{1} << 53;
        if (steps_text_) steps_ = parse_integer("--steps", *steps_text_, 1, most_steps);
        if (seed_text_)
            seed_ = static_cast<std::uint64_t>(parse_integer("--seed", *seed_text_, 0, most_seeds));
    }

    ServingOptions serving_;
    std::string traffic_path_;
    std::optional<std::string> steps_text_, seed_text_;
    std::int64_t steps_ = 1000;
    std::uint64_t seed_ = 0;
    CommonOptions common_;
};

}  // namespace

std::unique_ptr<Command> make_replay_command() { return std::make_unique<ReplayCommand>(); }

}  // namespace graphplan::cli
