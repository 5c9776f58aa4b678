#include "explain.hpp"

#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "explanation.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/planner.hpp"
#include "options.hpp"
#include "output.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

void print_steps(std::ostream& out, const Paint& paint, const std::vector<ExplainedStep>& steps,
                 bool by_latency) {
    out << '\n'
        << paint.bold(by_latency ? "taken, in the order to capture in:"
                                 : "taken, cheapest first at each step:")
        << '\n';
    if (steps.empty()) out << "  none\n";
    for (const ExplainedStep& step : steps) {
        out << fmt::format("  {}. {}, {}, added {}; used {}, room left {}\n", step.capture.chosen + 1,
                           label_of(step.pool, step.capture.id),
                           counted(static_cast<std::size_t>(step.capture.slots), "slot"),
                           format_bytes(step.capture.added_bytes), format_bytes(step.used_bytes),
                           format_bytes(step.room_left_bytes));
    }
}

void print_eager(std::ostream& out, const Paint& paint, const std::vector<ExplainedEager>& eager) {
    out << '\n' << paint.bold("left out:") << '\n';
    if (eager.empty()) out << "  none\n";
    for (const ExplainedEager& bucket : eager) {
        out << fmt::format("  {}: {}\n", label_of(bucket.pool, bucket.bucket.id), bucket.words);
    }
}

void summarize(std::ostream& out, const Paint& paint, const Explanation& explanation, bool one_bucket) {
    const Plan& plan = *explanation.plan;
    print_simulated(out, paint, plan.provenance);
    out << fmt::format("memory model {}, objective {}\n", to_string(plan.memory_model),
                       printable(plan.objective));
    for (const PoolPlan& pool : plan.pools) {
        if (!pool.output_buffers.empty())
            out << fmt::format("pool {}: {}\n", printable(pool.name), shared_outputs_words(pool));
    }
    print_budget(out, paint, plan.budget);
    for (std::size_t rank = 0; rank < plan.ranks.size(); ++rank) {
        const Budget& budget = plan.ranks[rank].budget;
        out << fmt::format("  rank {}: free {}, room {}, room left {}\n", rank,
                           format_bytes(budget.free_bytes), format_bytes(budget.room_bytes),
                           format_bytes(budget.room_left_bytes));
    }
    if (!one_bucket || !explanation.steps.empty())
        print_steps(out, paint, explanation.steps, plan.objective == "latency");
    if (!one_bucket || !explanation.eager.empty()) print_eager(out, paint, explanation.eager);
}

class ExplainCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("PLAN", path_, "A plan document")->type_name("FILE");
        app.add_option("--bucket", bucket_, "Explain only this bucket. Default: all of them")
            ->type_name("WALK:BS[:TOKENS]")
            ->group("Choice");
        add_common(app, common_, true);
        add_examples(
            app, {"graphplan explain plan.json", "graphplan explain plan.json --bucket decode:64 --json"});
    }

    int run(const Streams& streams) override {
        required(path_, "PLAN", "explain");
        std::optional<MustCapture> only;
        if (bucket_) only = parse_must(*bucket_, "--bucket");
        const Output output(streams, common_, {path_});
        const Plan plan = parse_plan(read_text(path_), output.reading());
        const Explanation explanation = explain(plan, only);
        output.write([&] { return to_document(explanation); },
                     [&](std::ostream& out, const Paint& paint) {
                         summarize(out, paint, explanation, only.has_value());
                     });
        return 0;
    }

  private:
    std::string path_;
    std::optional<std::string> bucket_;
    CommonOptions common_;
};

}  // namespace

std::unique_ptr<Command> make_explain_command() { return std::make_unique<ExplainCommand>(); }

}  // namespace graphplan::cli
