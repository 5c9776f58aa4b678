#include "planner/must.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"

namespace graphplan {
namespace {

constexpr std::int64_t kLargestInteger = std::int64_t{1} << 53;

std::optional<std::int64_t> positive(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value >= 1 && value <= kLargestInteger ? std::optional(value) : std::nullopt;
}

/// Cuts a positive integer off the end, with the colon before it.
std::optional<std::int64_t> take_last(std::string_view& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    const auto value = positive(text.substr(colon + 1));
    if (value) text = text.substr(0, colon);
    return value;
}

bool names_walk(const std::string& walk, const BucketKey& bucket) {
    return walk == bucket.walk || (bucket.key && walk == fmt::format("{}[{}]", bucket.walk, *bucket.key));
}

[[noreturn]] void throw_unknown(std::span<const Catalog> ranks, const MustCapture& must) {
    std::set<std::string> walks;
    std::vector<std::string> shapes;
    for (const Catalog& rank : ranks) {
        for (const Item& item : rank.items()) {
            const BucketKey& id = item.cost->id;
            walks.insert(id.walk);
            if (!names_walk(must.walk, id) || shapes.size() >= 8) continue;
            const std::string shape = fmt::format("{}:{}", id.bs, id.tokens);
            if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) shapes.push_back(shape);
        }
    }
    const std::vector<std::string> names(walks.begin(), walks.end());
    std::string hint = suggestion(must.walk, names);
    if (!shapes.empty()) hint = fmt::format(" It has {}.", fmt::join(shapes, ", "));
    throw Error(ErrorCode::invalid_argument,
                fmt::format("--must {}: no such bucket in the costs.{}", quoted(to_string(must), 200), hint));
}

}  // namespace

MustCapture parse_must(const std::string& text, std::string_view option) {
    std::string_view rest = text;
    const auto last = take_last(rest);
    if (!last) {
        throw Error(
            ErrorCode::invalid_argument,
            fmt::format("{} {}: expected WALK:BS or WALK:BS:TOKENS, e.g. decode:64", option, quoted(text)));
    }
    if (const auto before = take_last(rest)) return {std::string(rest), *before, last};
    return {std::string(rest), *last, std::nullopt};
}

std::string to_string(const MustCapture& must) {
    return must.tokens ? fmt::format("{}:{}:{}", must.walk, must.bs, *must.tokens)
                       : fmt::format("{}:{}", must.walk, must.bs);
}

bool matches(const MustCapture& must, const BucketKey& bucket) {
    return must.bs == bucket.bs && must.tokens.value_or(bucket.tokens) == bucket.tokens &&
           names_walk(must.walk, bucket);
}

std::vector<bool> demanded(const Catalog& catalog, const PlanOptions& options) {
    std::vector<bool> flags(catalog.items().size(), options.require_all);
    for (ItemIndex item = 0; item < flags.size(); ++item) {
        const BucketCost& cost = *catalog[item].cost;
        const auto demands = [&](const MustCapture& must) { return matches(must, cost.id); };
        flags[item] = cost.graph_bytes &&
                      (flags[item] || std::any_of(options.must.begin(), options.must.end(), demands));
    }
    return flags;
}

void check_demands(std::span<const Catalog> ranks, std::span<const MustCapture> demands) {
    for (const MustCapture& must : demands) {
        const bool known = std::any_of(ranks.begin(), ranks.end(), [&](const Catalog& rank) {
            return std::any_of(rank.items().begin(), rank.items().end(),
                               [&](const Item& item) { return matches(must, item.cost->id); });
        });
        if (!known) throw_unknown(ranks, must);
    }
}

}  // namespace graphplan
