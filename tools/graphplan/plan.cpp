#include "plan.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "eager_loss.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/planner.hpp"
#include "options.hpp"
#include "output.hpp"
#include "plan_choices.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

std::vector<std::vector<std::string>> capture_rows(const PoolPlan& pool) {
    std::vector<const PlannedCapture*> chosen;
    for (const PlannedCapture& capture : pool.captures) chosen.push_back(&capture);
    std::sort(chosen.begin(), chosen.end(),
              [](const auto* a, const auto* b) { return a->chosen < b->chosen; });
    std::vector<std::vector<std::string>> rows;
    Bytes cumulative = 0;
    for (const PlannedCapture* capture : chosen) {
        cumulative += capture->added_bytes;
        rows.push_back({printable(to_string(capture->id)), std::to_string(capture->slots),
                        format_bytes(capture->added_bytes), format_bytes(cumulative)});
    }
    return rows;
}

void print_pool(std::ostream& out, const Paint& paint, const PoolPlan& pool, bool everything) {
    out << '\n' << paint.bold("pool " + printable(pool.name)) << ": ";
    out << fmt::format("{} in the plan, pool {}, executables {}\n", counted(pool.captures.size(), "bucket"),
                       format_bytes(pool.predicted_bytes), format_bytes(pool.outside_bytes));
    if (!pool.output_buffers.empty()) out << "  " << shared_outputs_words(pool) << '\n';
    if (!pool.captures.empty()) {
        print_rows(out, paint, {{"as chosen"}, {"slots", true}, {"added", true}, {"cumulative", true}},
                   capture_rows(pool), everything);
    }
    if (pool.eager.empty()) return;
    std::vector<std::vector<std::string>> rows;
    for (const EagerBucket& bucket : pool.eager)
        rows.push_back({printable(to_string(bucket.id)), reason_words(bucket)});
    print_rows(out, paint, {{"eager"}, {"reason"}}, std::move(rows), everything);
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

void add_expected(Table& table, const std::string& objective, const Expected& expected) {
    table.add(
        {objective, format_us(expected.step_us), percent(expected.hit_rate), percent(expected.padding_waste),
         expected.gap ? *expected.gap == 0 ? "optimal" : fmt::format("{:.2g} %", 100 * *expected.gap) : "-"});
}

void print_expected(std::ostream& out, const Paint& paint, const Plan& plan) {
    if (!plan.expected) return;
    out << '\n';
    Table table(
        {{"objective"}, {"a step takes", true}, {"hit rate", true}, {"padding", true}, {"gap", true}});
    add_expected(table, printable(plan.objective), *plan.expected);
    if (plan.expected_by_count) add_expected(table, "count", *plan.expected_by_count);
    table.print(out, paint);
    if (plan.expected->beyond_ladder_weight > 0) {
        out << fmt::format("  beside steps of weight {:g} that no bucket fits\n",
                           plan.expected->beyond_ladder_weight);
    }
}

std::size_t total_slots(const Plan& plan) {
    std::size_t slots = 0;
    for (const PoolPlan& pool : plan.pools) {
        for (const PlannedCapture& capture : pool.captures) slots += static_cast<std::size_t>(capture.slots);
    }
    return slots;
}

class PlanCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("COSTS...", paths_, "Costs documents, one for each rank")->type_name("FILE");
        declare_budget(app);
        choices_.declare_reuse(app);
        choices_.declare_choice(app);
        add_common(app, common_, true);
        add_examples(app, {"graphplan plan costs.json --free-mib 2048 -o plan.json",
                           "graphplan plan costs.json --objective latency --traffic traffic.json"});
    }

    int run(const Streams& streams) override {
        if (paths_.empty()) required("", "COSTS", "plan");
        PlanOptions options = check();
        const Output output(streams, common_, choices_.inputs(paths_));
        const std::vector<std::string> digests = read(output);
        choices_.read_traffic(output, options);
        PlanResult result = make_plan(costs_, options);
        stamp(result.plan, digests);
        for (const std::string& warning : result.warnings) output.warn(warning);
        output.write(
            [&] { return to_json(result.plan); },
            [&](std::ostream& out, const Paint& paint) { summarize(out, paint, result, output.verbose()); });
        return result.floor_fits && result.unmet.empty() ? 0 : 1;
    }

  private:
    void declare_budget(CLI::App& app) {
        const std::string group = "Budget";
        app.add_option("--free-mib", free_mib_, "Free memory, in MiB. Default: what the costs document says")
            ->type_name("N")
            ->group(group);
        app.add_option("--fraction", fraction_,
                       "How much of the device's total memory may be used, 0 to 1. Default: all that is free")
            ->type_name("F")
            ->group(group);
    }

    PlanOptions check() const {
        PlanOptions options = choices_.check();
        options.free_bytes = parse_mib("--free-mib", free_mib_);
        options.fraction = parse_fraction("--fraction", fraction_);
        return options;
    }

    std::vector<std::string> read(const Output& output) {
        std::vector<std::string> digests;
        for (const std::string& path : paths_) {
            const DocumentText document = read_text(path);
            costs_.push_back(parse_costs(document, output.reading()));
            digests.push_back(document.sha256);
        }
        return digests;
    }

    void stamp(Plan& plan, const std::vector<std::string>& digests) const {
        plan.provenance.tool_version = version();
        plan.provenance.git_revision = git_revision();
        plan.provenance.input_sha256["costs"] = digests.front();
        const std::string& traffic = choices_.traffic_sha256();
        if (!traffic.empty()) plan.provenance.input_sha256["traffic"] = traffic;
        for (std::size_t i = 0; i < plan.ranks.size(); ++i) plan.ranks[i].costs_sha256 = digests[i];
    }

    void summarize(std::ostream& out, const Paint& paint, const PlanResult& result, bool everything) const {
        const Plan& plan = result.plan;
        print_simulated(out, paint, plan.provenance);
        print_budget(out, paint, plan.budget);
        if (!plan.ranks.empty())
            out << fmt::format("  of the tightest of {}\n", counted(plan.ranks.size(), "rank"));
        for (const PoolPlan& pool : plan.pools) print_pool(out, paint, pool, everything);
        print_expected(out, paint, plan);
        print_eager_losses(out, paint, plan, costs_, everything);
        print_verdict(out, paint, result);
        if (common_.output.empty() || common_.to_stdout()) {
            print_next(out, paint, "the same command with -o plan.json writes the plan");
        } else {
            print_next(out, paint, "graphplan explain " + shell_word(common_.output));
        }
    }

    void print_verdict(std::ostream& out, const Paint& paint, const PlanResult& result) const {
        const Plan& plan = result.plan;
        std::size_t planned = 0, eager = 0;
        for (const PoolPlan& pool : plan.pools) planned += pool.captures.size(), eager += pool.eager.size();
        out << '\n';
        if (!result.floor_fits) {
            out << paint.red("the floor does not fit:") << " the largest eager step needs "
                << format_bytes(plan.budget.floor_bytes) << ", "
                << format_bytes(plan.budget.floor_bytes - plan.budget.free_bytes) << " more than is free\n";
        }
        for (const std::string& demand : result.unmet) out << paint.red("not met:") << ' ' << demand << '\n';
        out << fmt::format("{} to capture ({}), {} eager; predicted by {}\n", counted(planned, "bucket"),
                           counted(total_slots(plan), "graph"), eager, to_string(plan.memory_model));
    }

    std::vector<std::string> paths_;
    std::optional<std::string> free_mib_, fraction_;
    PlanChoices choices_;
    CommonOptions common_;
    std::vector<Costs> costs_;
};

}  // namespace

std::unique_ptr<Command> make_plan_command() { return std::make_unique<PlanCommand>(); }

}  // namespace graphplan::cli
