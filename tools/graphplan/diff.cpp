#include "diff.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "diff_report.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/planner.hpp"
#include "options.hpp"
#include "output.hpp"

namespace graphplan::cli {
namespace {

class DiffCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("OLD", old_, "A plan or costs document")->type_name("FILE");
        app.add_option("NEW", new_, "Another of the same kind")->type_name("FILE");
        declare_rules(app);
        app.add_option("--format", format_,
                       "How differences are written, to stdout or to -o: markdown for a comment, github for "
                       "annotations of a workflow; json is --json. Default: text, with -o json")
            ->type_name("text|json|markdown|github")
            ->group("Output");
        add_common(app, common_, true);
        add_examples(app, {"graphplan diff plan.json new.json",
                           "graphplan diff old.json new.json --fail-on dropped --format github"});
    }

    int run(const Streams& streams) override {
        required(old_, "OLD", "diff");
        required(new_, "NEW", "diff");
        const DiffRules rules = check();
        if (format_ == "json" && common_.output.empty()) common_.json = true;
        const Output output(streams, common_, {old_, new_});
        const DocumentText before = read_text(old_), after = read_text(new_);
        const std::string kind = common_kind(before, after);
        const Difference difference =
            judged(kind == "plan"
                       ? diff(parse_plan(before, output.reading()), parse_plan(after, output.reading()))
                       : diff(parse_costs(before, output.reading()), parse_costs(after, output.reading())),
                   rules);
        output.write([&] { return is_text() ? to_json(difference, kind) : report(difference); },
                     [&](std::ostream& out, const Paint& paint) {
                         if (is_text() || common_.has_output())
                             print_text(out, paint, difference);
                         else
                             out << report(difference);
                     });
        return difference.matters() ? 1 : 0;
    }

  private:
    void declare_rules(CLI::App& app) {
        const std::string group = "What matters";
        app.add_option("--threshold-percent", percent_,
                       "Figures that change by no more do not matter, times that change by more do. Default: "
                       "every change of bytes matters, none of times")
            ->type_name("P")
            ->group(group);
        app.add_option("--threshold-mib", mib_,
                       "Bytes that change by no more do not matter; with both, only what is beyond both does")
            ->type_name("N")
            ->group(group);
        app.add_option(
               "--fail-on", fail_on_,
               "Only changes of this kind matter; repeatable. dropped: captured before, not any more; "
               "moved: elsewhere in the order, or captured now. Default: all but time and origin")
            ->type_name("added|removed|dropped|moved|bytes|time|reason|budget|environment|origin")
            ->expected(1)
            ->take_all()
            ->allow_extra_args(false)
            ->group(group);
    }

    DiffRules check() const {
        DiffRules rules;
        rules.threshold_percent = parse_percent("--threshold-percent", percent_);
        rules.threshold_bytes = parse_mib("--threshold-mib", mib_);
        for (const std::string& word : fail_on_) rules.fail_on.push_back(parse_change_kind(word));
        return rules;
    }

    bool is_text() const { return format_ == "text" || format_ == "json"; }
    std::string report(const Difference& difference) const {
        return format_ == "github" ? to_annotations(difference) : to_markdown(difference);
    }

    static std::string common_kind(const DocumentText& before, const DocumentText& after) {
        const std::string kind = schema_of(before), other = schema_of(after);
        if (kind == other && (kind == "graphplan.plan" || kind == "graphplan.costs")) {
            return kind.substr(kind.find('.') + 1);
        }
        throw Error(
            ErrorCode::invalid_document,
            fmt::format(
                "expected two graphplan.plan or two graphplan.costs documents, found {} in {} and {} in {}",
                graphplan::quoted(kind), graphplan::quoted(before.name, 200), graphplan::quoted(other),
                graphplan::quoted(after.name, 200)));
    }

    std::string old_, new_, format_ = "text";
    std::optional<std::string> percent_, mib_;
    std::vector<std::string> fail_on_;
    CommonOptions common_;
};

}  // namespace

std::unique_ptr<Command> make_diff_command() { return std::make_unique<DiffCommand>(); }

}  // namespace graphplan::cli
