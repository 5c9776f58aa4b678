#include "diff_report.hpp"

#include <algorithm>
#include <ostream>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace graphplan::cli {
namespace {

std::string change_words(const Change& change) {
    const std::string before = printable(change.before), after = printable(change.after);
    if (before.empty() && after.empty()) return printable(change.what);
    if (before.empty()) return fmt::format("{}: {} (was not there)", printable(change.what), after);
    if (after.empty()) return fmt::format("{}: was {}, is not there", printable(change.what), before);
    return fmt::format("{}: {} → {}", printable(change.what), before, after);
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

std::size_t mattering(const Difference& difference) {
    return static_cast<std::size_t>(std::count_if(difference.changes.begin(), difference.changes.end(),
                                                  [](const Change& change) { return change.matters; }));
}

/// As GitHub's runner takes data, and with `is_property` a property's value.
std::string escaped(std::string_view text, bool is_property) {
    std::string escaped;
    for (const char c : text) {
        const bool special = c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','));
        escaped += special ? fmt::format("%{:02X}", static_cast<unsigned>(c)) : std::string(1, c);
    }
    return escaped;
}

}  // namespace

void print_text(std::ostream& out, const Paint& paint, const Difference& difference) {
    std::string where;
    for (const Change& change : difference.changes) {
        if (change.where != where) out << paint.bold(printable(change.where)) << '\n';
        where = change.where;
        out << "  " << to_string(change.kind) << "  " << change_words(change)
            << (change.matters ? "" : " (does not matter)") << '\n';
    }
    const std::size_t matter = mattering(difference);
    if (difference.changes.empty()) {
        out << paint.green("equal") << '\n';
    } else if (matter == 0) {
        out << paint.green("equal") << " in all that matters\n";
    } else {
        out << paint.red("different:")
            << fmt::format(" {}, of which {} matter\n", counted(difference.changes.size(), "change"), matter);
    }
}

std::string to_markdown(const Difference& difference) {
    if (difference.changes.empty()) return "The documents are equal.\n";
    std::string text = fmt::format("**{}**, of which {} matter.\n\n",
                                   counted(difference.changes.size(), "change"), mattering(difference));
    text += "| where | change | what | before | after | matters |\n|---|---|---|---|---|---|\n";
    for (const Change& change : difference.changes) {
        text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", cell(change.where), to_string(change.kind),
                            cell(change.what), cell(change.before), cell(change.after),
                            change.matters ? "yes" : "no");
    }
    return text;
}

std::string to_annotations(const Difference& difference) {
    std::string text;
    for (const Change& change : difference.changes) {
        text +=
            fmt::format("::{} title={}::{}\n", change.matters ? "error" : "notice",
                        escaped(fmt::format("graphplan: {}: {}", to_string(change.kind), change.where), true),
                        escaped(change_words(change), false));
    }
    return text;
}

Change::Kind parse_change_kind(const std::string& word) {
    using Kind = Change::Kind;
    std::vector<std::string> known;
    for (const Kind kind : {Kind::added, Kind::removed, Kind::dropped, Kind::moved, Kind::bytes, Kind::time,
                            Kind::reason, Kind::budget, Kind::environment, Kind::origin}) {
        if (to_string(kind) == word) return kind;
        known.emplace_back(to_string(kind));
    }
    throw Error(ErrorCode::invalid_argument,
                fmt::format("--fail-on: expected one of {}, found {}.{}", fmt::join(known, ", "),
                            graphplan::quoted(word), suggestion(word, known)));
}

}  // namespace graphplan::cli
