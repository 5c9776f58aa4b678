#include "report.hpp"

#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "graphplan/documents.hpp"
#include "options.hpp"
#include "output.hpp"
#include "report/page.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

report::Heading heading_of(const Costs& costs) {
    const Provenance& from = costs.provenance;
    report::Heading heading{"CUDA graph memory", {}};
    if (is_simulated(from)) heading.lines.push_back("Simulated: no GPU was measured.");
    std::string device = from.device.empty() ? "Device unknown" : from.device;
    if (!from.driver.empty()) device += ", driver " + from.driver;
    for (const auto& [name, version] : from.libraries) device += fmt::format(", {} {}", name, version);
    heading.lines.push_back(device + ".");
    return heading;
}

class ReportCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("COSTS", costs_path_, "A costs document")->type_name("FILE");
        app.add_option("PLAN", plan_path_, "A plan made from it. Default: none, the page shows all graphs")
            ->type_name("FILE");
        add_common(app, common_, true);
        add_examples(app, {"graphplan report costs.json -o report.html",
                           "graphplan report costs.json plan.json -o report.html --force"});
    }

    int run(const Streams& streams) override {
        required(costs_path_, "COSTS", "report");
        if (common_.json || common_.output.empty()) {
            throw Error(ErrorCode::invalid_argument,
                        "report writes one HTML page: say where with -o FILE, or -o -");
        }
        std::vector<std::string> inputs{costs_path_};
        if (!plan_path_.empty()) inputs.push_back(plan_path_);
        const Output output(streams, common_, inputs);
        const DocumentText text = read_text(costs_path_);
        const Costs costs = parse_costs(text, output.reading());
        std::optional<Plan> plan;
        if (!plan_path_.empty()) plan = parse_plan(read_text(plan_path_), output.reading());
        if (plan) warn_of_other_costs(*plan, text.sha256, output);
        const std::vector<report::Figure> figures = report::figures({costs, plan ? &*plan : nullptr});
        output.write([&] { return report::to_html(heading_of(costs), figures); },
                     [&](std::ostream& out, const Paint& paint) {
                         print_simulated(out, paint, costs.provenance);
                         out << counted(figures.size(), "figure") << '\n';
                     });
        return 0;
    }

  private:
    static void warn_of_other_costs(const Plan& plan, const std::string& sha256, const Output& output) {
        const auto& inputs = plan.provenance.input_sha256;
        const auto made_from = inputs.find("costs");
        if (made_from == inputs.end() || made_from->second == sha256) return;
        output.warn("the plan was made from other costs: figures of both stand side by side; plan again");
    }

    std::string costs_path_, plan_path_;
    CommonOptions common_;
};

}  // namespace

std::unique_ptr<Command> make_report_command() { return std::make_unique<ReportCommand>(); }

}  // namespace graphplan::cli
