#include "options.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace graphplan::cli {

void add_common(CLI::App& app, CommonOptions& options, bool reads_documents) {
    const std::string group = "Common options";
    app.add_option("-o,--output", options.output,
                   "Where the document goes; - is stdout. Default: no document")
        ->type_name("FILE|-")
        ->group(group);
    app.add_flag("--json", options.json, "Write the document to stdout, as -o - does")->group(group);
    app.add_flag("--force", options.force, "Overwrite an existing output file")->group(group);
    if (reads_documents) {
        app.add_flag("--strict", options.strict, "Unknown keys in documents are errors, not warnings")
            ->group(group);
    }
    app.add_flag("-q,--quiet", options.quiet, "No summary and no progress; warnings and errors stay")
        ->group(group);
    app.add_flag("-v,--verbose", options.verbosity, "Say more: every line of tables; twice: debug messages")
        ->group(group);
    app.add_option("--color", options.color, "Colours on stdout and stderr. Default: auto, on terminals")
        ->type_name("auto|always|never")
        ->group(group);
}

void add_examples(CLI::App& app, const std::vector<std::string>& examples) {
    std::string text = "Examples:\n";
    for (const std::string& example : examples) text += "  " + example + "\n";
    app.footer(text);
}

void check_common(const CommonOptions& options) {
    if (options.json && !options.output.empty() && options.output != "-") {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("--json writes the document to stdout, -o to {}: give one of them",
                                graphplan::quoted(options.output)));
    }
}

const std::string& required(const std::string& value, std::string_view name, std::string_view command) {
    if (!value.empty()) return value;
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} is missing. Run \"graphplan {} --help\" for its arguments", name, command));
}

std::int64_t parse_integer(std::string_view option, const std::string& text, std::int64_t least,
                           std::int64_t most, std::string_view unit) {
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = failure == std::errc{} && end == text.data() + text.size();
    if (whole && value >= least && value <= most) return value;
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("{}: expected a whole number {}from {} to {}, found {}", option,
                    unit.empty() ? "" : fmt::format("of {} ", unit), least, most, graphplan::quoted(text)));
}

std::optional<Bytes> parse_mib(std::string_view option, const std::optional<std::string>& text) {
    if (!text) return std::nullopt;
    return parse_integer(option, *text, 0, kMostMib, "MiB") * kMiB;
}

namespace {

std::optional<double> finite_number(const std::string& text) {
    double value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool number = failure == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
    return number ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<double> parse_percent(std::string_view option, const std::optional<std::string>& text) {
    if (!text) return std::nullopt;
    const std::optional<double> value = finite_number(*text);
    if (value && *value >= 0) return value;
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: expected a number of percent, at least 0, found {}", option,
                            graphplan::quoted(*text)));
}

std::optional<double> parse_fraction(std::string_view option, const std::optional<std::string>& text) {
    if (!text) return std::nullopt;
    const std::optional<double> value = finite_number(*text);
    if (value && *value > 0 && *value <= 1) return value;
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: expected a number above 0 and at most 1, found {}", option,
                            graphplan::quoted(*text)));
}

}  // namespace graphplan::cli
