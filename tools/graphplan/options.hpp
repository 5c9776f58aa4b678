// The options that commands share, and the checks of option values, in the same words everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graphplan/base.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace graphplan::cli {

/// 2^33 MiB are 2^53 bytes, the most that a document can hold.
inline constexpr std::int64_t kMostMib = std::int64_t{1} << 33;

struct CommonOptions {
    std::string output;  ///< empty: none
    bool json = false;
    bool force = false;
    bool strict = false;
    bool quiet = false;
    int verbosity = 0;
    std::string color = "auto";

    /// The document goes to stdout.
    bool to_stdout() const { return json || output == "-"; }
    bool has_output() const { return json || !output.empty(); }
};

/// -o, --json, --force, --quiet, --verbose, --color; and --strict where documents are read.
void add_common(CLI::App& app, CommonOptions& options, bool reads_documents);

/// Two examples that end the help page.
void add_examples(CLI::App& app, const std::vector<std::string>& examples);

/// Contradictions among the common options. @throws Error invalid_argument
void check_common(const CommonOptions& options);

/// A positional that must be there. @throws Error invalid_argument
const std::string& required(const std::string& value, std::string_view name, std::string_view command);

/// A whole number of `unit` (may be empty) from `least` to `most`. @throws Error invalid_argument
/// naming the option
std::int64_t parse_integer(std::string_view option, const std::string& text, std::int64_t least,
                           std::int64_t most, std::string_view unit = "");

/// A size in MiB as bytes; nothing for an option that was not given. @throws Error invalid_argument
std::optional<Bytes> parse_mib(std::string_view option, const std::optional<std::string>& text);

/// At least 0. @throws Error invalid_argument
std::optional<double> parse_percent(std::string_view option, const std::optional<std::string>& text);

/// More than 0, at most 1. @throws Error invalid_argument
std::optional<double> parse_fraction(std::string_view option, const std::optional<std::string>& text);

}  // namespace graphplan::cli
