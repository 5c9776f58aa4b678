#include "diff.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "graphplan/documents.hpp"
#include "graphplan/planner.hpp"
#include "options.hpp"
#include "output.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

std::string change_words(const Change& change) {
    const std::string before = printable(change.before), after = printable(change.after);
    if (before.empty() && after.empty()) return printable(change.what);
    if (before.empty()) return fmt::format("{}: {} (was not there)", printable(change.what), after);
    if (after.empty()) return fmt::format("{}: was {}, is not there", printable(change.what), before);
    return fmt::format("{}: {} → {}", printable(change.what), before, after);
}

void print_text(std::ostream& out, const Paint& paint, const Difference& difference) {
    std::string where;
    for (const Change& change : difference.changes) {
        if (change.where != where) out << paint.bold(printable(change.where)) << '\n';
        where = change.where;
        out << "  " << to_string(change.kind) << "  " << change_words(change)
            << (change.matters ? "" : " (does not matter)") << '\n';
    }
    const auto matter = static_cast<std::size_t>(std::count_if(
        difference.changes.begin(), difference.changes.end(), [](const Change& c) { return c.matters; }));
    if (difference.changes.empty()) {
        out << paint.green("equal") << '\n';
    } else if (matter == 0) {
        out << paint.green("equal") << " in all that matters\n";
    } else {
        out << paint.red("different:")
            << fmt::format(" {}, of which {} matter\n", counted(difference.changes.size(), "change"), matter);
    }
}

// GitHub's tables: a cell holds no line break, and a bar is escaped.
std::string cell(std::string_view text) {
    std::string escaped;
    for (const char c : printable(text)) {
        if (c == '|' || c == '<' || c == '`') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

void print_markdown(std::ostream& out, const Difference& difference) {
    if (difference.changes.empty()) {
        out << "The documents are equal.\n";
        return;
    }
    out << "| where | change | what | before | after | matters |\n|---|---|---|---|---|---|\n";
    for (const Change& change : difference.changes) {
        out << fmt::format("| {} | {} | {} | {} | {} | {} |\n", cell(change.where), to_string(change.kind),
                           cell(change.what), cell(change.before), cell(change.after),
                           change.matters ? "yes" : "no");
    }
}

class DiffCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("OLD", old_, "A plan or costs document")->type_name("FILE");
        app.add_option("NEW", new_, "Another of the same kind")->type_name("FILE");
        app.add_option("--format", format_, "How differences are written; json is --json. Default: text")
            ->type_name("text|json|markdown")
            ->group("Output");
        add_common(app, common_, true);
        add_examples(
            app, {"graphplan diff plan.json new.json", "graphplan diff old.json new.json --format markdown"});
    }

    int run(const Streams& streams) override {
        required(old_, "OLD", "diff");
        required(new_, "NEW", "diff");
        if (format_ == "json") common_.json = true;
        const Output output(streams, common_, {old_, new_});
        const DocumentText before = read_text(old_), after = read_text(new_);
        const std::string kind = common_kind(before, after);
        const Difference difference =
            kind == "plan"
                ? diff(parse_plan(before, output.reading()), parse_plan(after, output.reading()))
                : diff(parse_costs(before, output.reading()), parse_costs(after, output.reading()));
        output.write([&] { return to_json(difference, kind); },
                     [&](std::ostream& out, const Paint& paint) {
                         if (format_ == "markdown")
                             print_markdown(out, difference);
                         else
                             print_text(out, paint, difference);
                     });
        return difference.matters() ? 1 : 0;
    }

  private:
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
    CommonOptions common_;
};

}  // namespace

std::unique_ptr<Command> make_diff_command() { return std::make_unique<DiffCommand>(); }

}  // namespace graphplan::cli
