#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "documents/common.hpp"
#include "documents/costs_parts.hpp"

namespace graphplan::documents {
namespace {

std::vector<Bytes> read_curve(const Value& list, std::optional<std::int64_t> copies) {
    std::vector<Bytes> curve;
    for (const Value entry : list.non_empty_items("bytes, one entry for each number of copies from 0 on")) {
        const Bytes bytes = entry.integer();
        if (curve.empty() && bytes != 0) entry.expected("0, which is what no copy takes");
        if (!curve.empty() && bytes < curve.back()) {
            entry.expected(fmt::format("at least {}, as one copy fewer took", curve.back()));
        }
        curve.push_back(bytes);
    }
    if (copies && static_cast<std::int64_t>(curve.size()) - 1 != *copies) {
        list.fail(fmt::format("expected copies + 1 = {} entries, found {}", *copies + 1, curve.size()));
    }
    return curve;
}

double read_rate(const Value& value) {
    const double rate = value.number();
    if (rate < 0 || rate > static_cast<double>(kMaxInteger)) value.expected("a number from 0 to 2^53");
    return rate;
}

void read_executable(const Value& value, WalkCosts& walk) {
    Fields fields(value, "an object of nodes, bytes_per_node, held_bytes, copies and curve_bytes");
    walk.nodes = read_optional_integer(fields, "nodes", 1);
    if (const auto rate = fields.optional("bytes_per_node")) walk.bytes_per_node = read_rate(*rate);
    walk.held_bytes = read_integer_or(fields, "held_bytes", 0);
    const std::optional<std::int64_t> copies = read_optional_integer(fields, "copies");
    if (const auto curve = fields.optional("curve_bytes")) walk.curve_bytes = read_curve(*curve, copies);
    const auto measured =
        walk.curve_bytes.empty() ? 0 : static_cast<std::int64_t>(walk.curve_bytes.size()) - 1;
    walk.copies = copies.value_or(measured);
    fields.finish();
}

WalkCosts read_walk(const Value& value, std::span<const std::string> pools) {
    Fields fields(value, "a walk's executable memory, which is an object");
    WalkCosts walk;
    const Value pool = fields.required("pool");
    walk.pool = pool.name();
    if (std::find(pools.begin(), pools.end(), walk.pool) == pools.end()) {
        pool.fail(
            fmt::format("no pool {} in this document.{}", quoted(walk.pool), suggestion(walk.pool, pools)));
    }
    walk.walk = fields.required("walk").name();
    walk.key = read_optional_name(fields, "key");
    if (const auto executable = fields.optional("executable")) read_executable(*executable, walk);
    fields.finish();
    return walk;
}

}  // namespace

std::vector<WalkCosts> read_walk_costs(const Value& list, const Costs& costs) {
    std::vector<std::string> pools;
    for (const PoolCosts& pool : costs.pools) pools.push_back(pool.name);
    const auto items = list.items("walks");
    std::vector<WalkCosts> walks;
    walks.reserve(items.size);
    std::unordered_map<std::string, JsonTree::Index> places;
    for (const Value item : items) {
        walks.push_back(read_walk(item, pools));
        const WalkCosts& walk = walks.back();
        const std::string name = walk.key ? fmt::format("{}[{}]", walk.walk, *walk.key) : walk.walk;
        // No name holds a line feed.
        const auto [it, is_new] =
            places.try_emplace(walk.pool + "\n" + name + (walk.key ? "\n" : ""), item.index());
        if (!is_new) {
            item.fail(fmt::format("walk {} of pool {} stands twice, first at {}", quoted(name),
                                  quoted(walk.pool), item.document().tree().pointer(it->second)));
        }
    }
    return walks;
}

}  // namespace graphplan::documents
