#include "allocator_choice.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "options.hpp"

namespace graphplan::cli {
namespace {

std::int64_t parse_divisions(const std::string& text) {
    constexpr std::int64_t most = std::int64_t{1} << 53;  // as in documents
    const std::int64_t value = parse_integer("--roundup-power2-divisions", text, 0, most);
    if ((value & (value - 1)) == 0) return value;
    throw Error(ErrorCode::invalid_argument,
                fmt::format("--roundup-power2-divisions: expected 0 or a power of two, found {}", value));
}

}  // namespace

void AllocatorChoice::declare(CLI::App& app, const std::string& otherwise) {
    const std::string group = "Caching allocator, as in PYTORCH_CUDA_ALLOC_CONF" +
                              (otherwise.empty() ? "" : "; with none of these, as " + otherwise);
    expandable_ = app.add_flag("--expandable-segments,!--no-expandable-segments",
                               options_.expandable_segments, "Map memory behind growing ranges. Default: off")
                      ->group(group);
    app.add_option("--max-split-size-mb", max_split_,
                   "Blocks of this many MiB or more are not split. Default: none")
        ->type_name("N")
        ->group(group);
    app.add_option("--roundup-power2-divisions", divisions_,
                   "Round sizes up to a power of two divided by this, itself a power of two. Default: 0, off")
        ->type_name("N")
        ->group(group);
}

void AllocatorChoice::check() {
    constexpr std::int64_t least_split = 21, most_split = std::int64_t{1} << 40;  // as in documents
    expandable_given_ = expandable_->count() > 0;
    if (max_split_) {
        options_.max_split_size_mb =
            parse_integer("--max-split-size-mb", *max_split_, least_split, most_split, "MiB");
    }
    if (divisions_) options_.roundup_power2_divisions = parse_divisions(*divisions_);
}

std::vector<std::string> AllocatorChoice::arguments() const {
    std::vector<std::string> arguments;
    if (max_split_) arguments.insert(arguments.end(), {"--max-split-size-mb", *max_split_});
    if (divisions_) arguments.insert(arguments.end(), {"--roundup-power2-divisions", *divisions_});
    if (options_.expandable_segments) arguments.emplace_back("--expandable-segments");
    return arguments;
}

}  // namespace graphplan::cli
