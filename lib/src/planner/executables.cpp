#include "planner/executables.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "planner/checked.hpp"

namespace graphplan {
namespace {

constexpr double kLargestEstimate = 4611686018427387904.0;  // 2^62

/// What graphs past the curve's end take, by the rate that it was summed up in.
Bytes beyond(const WalkCosts& walk, std::int64_t graphs, std::int64_t nodes) {
    const auto copies = static_cast<std::int64_t>(walk.curve_bytes.size()) - 1;
    const double last = static_cast<double>(walk.curve_bytes.back());
    double bytes = 0;
    if (walk.nodes) {
        const double measured = static_cast<double>(copies) * static_cast<double>(*walk.nodes);
        const double rate = walk.bytes_per_node.value_or(copies > 0 ? last / measured : 0);
        bytes = (static_cast<double>(nodes) - measured) * rate;
    } else if (copies > 0) {
        bytes = static_cast<double>(graphs - copies) * last / static_cast<double>(copies);
    }
    if (!(bytes < kLargestEstimate)) {
        throw Error(
            ErrorCode::invalid_document,
            fmt::format("/walks: the executables of walk \"{:.100}\" would take more than 2^62 bytes: check "
                        "its bytes_per_node and its buckets' nodes",
                        walk.walk));
    }
    return round_up(static_cast<Bytes>(std::ceil(std::max(bytes, 0.0))), kSegment);
}

}  // namespace

Executables::Executables(const Catalog& catalog, const Reuse& reuse)
    : catalog_(catalog), reuse_(reuse), walks_(catalog.walks().size()), pools_(catalog.pool_count()) {}

Executables::Use Executables::with(const Item& item) const {
    const WalkItem& walk = catalog_.walks()[item.walk];
    Use use = walks_[item.walk];
    const std::int64_t copied = walk.costs && walk.costs->nodes ? *walk.costs->nodes : 0;
    const auto nodes = checked_multiply(item.cost->slots, item.cost->nodes.value_or(copied));
    use.nodes = saturating_add(use.nodes, nodes.value_or(kMaxBytes));
    use.graphs = saturating_add(use.graphs, item.cost->slots);
    use.outside += item.outside;
    use.bytes = bytes_of(walk, use);
    return use;
}

Bytes Executables::bytes_of(const WalkItem& walk, const Use& use) const {
    if (!walk.costs || walk.costs->curve_bytes.empty()) return use.outside;
    const std::vector<Bytes>& curve = walk.costs->curve_bytes;
    const std::int64_t one = walk.costs->nodes.value_or(0);
    const std::int64_t copies = one > 0 ? use.nodes / one + (use.nodes % one != 0) : use.graphs;
    if (static_cast<std::uint64_t>(copies) < curve.size()) return curve[static_cast<std::size_t>(copies)];
    return saturating_add(curve.back(), beyond(*walk.costs, use.graphs, use.nodes));
}

Bytes Executables::reused(Bytes held_and_taken) const noexcept {
    if (!reuse_.same_process) return 0;
    return std::min(held_and_taken, std::max<Bytes>(reuse_.bound.value_or(kMaxBytes), 0));
}

Bytes Executables::growth(ItemIndex index) const {
    const Item& item = catalog_[index];
    const Bytes held = catalog_.walks()[item.walk].held;
    const Bytes before = walks_[item.walk].bytes;
    const Bytes after = with(item).bytes;
    const Bytes held_and_taken = held_and_taken_ - std::min(held, before) + std::min(held, after);
    return after - before - (reused(held_and_taken) - reused(held_and_taken_));
}

void Executables::take(ItemIndex index) {
    const Item& item = catalog_[index];
    const Bytes held = catalog_.walks()[item.walk].held;
    Use& use = walks_[item.walk];
    const Bytes before = use.bytes;
    use = with(item);
    pools_[item.pool] = saturating_add(pools_[item.pool] - before, use.bytes);
    held_and_taken_ = saturating_add(held_and_taken_ - std::min(held, before), std::min(held, use.bytes));
}

}  // namespace graphplan
