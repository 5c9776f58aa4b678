#include "planner/catalog.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "memory/allocator_rules.hpp"
#include "planner/checked.hpp"

namespace graphplan {
namespace {

std::string walk_name(const std::string& walk, const std::optional<std::string>& key) {
    // The length tells where the walk ends, whatever it holds, and the slash a missing key from an empty one.
    return fmt::format("{}:{}{}{}", walk.size(), walk, key ? "/" : "", key.value_or(""));
}

[[noreturn]] void throw_at(const Costs& costs, std::size_t pool, std::size_t bucket,
                           const std::string& problem) {
    throw Error(
        ErrorCode::invalid_document,
        fmt::format("{}: /pools/{}/buckets/{}: {}",
                    costs.source.empty() ? "costs" : shortened(costs.source, 200), pool, bucket, problem));
}

/// What all slots of a bucket can take at most, or nothing beyond 2^63.
std::optional<Bytes> most(Item& item) {
    const BucketCost& cost = *item.cost;
    const auto whole = checked_add(cost.kept_bytes, kSegment - 1);
    const Bytes keeping = item.shares_outputs() ? 0 : cost.slots;
    const auto kept = whole ? checked_multiply(*whole / kSegment * kSegment, keeping) : std::nullopt;
    const auto outside = checked_multiply(cost.outside_bytes, cost.slots);
    if (!kept || !outside) return std::nullopt;
    item.kept = *kept;
    item.outside = *outside;
    item.scratch = std::max<Bytes>(cost.graph_bytes.value_or(0) - cost.kept_bytes, 0);
    const auto memory = checked_add(*kept, cost.graph_bytes.value_or(0));
    return memory ? checked_add(*memory, *outside) : std::nullopt;
}

void check_fields(const Costs& costs, std::size_t pool, std::size_t bucket, const BucketCost& cost) {
    if (cost.slots < 1 || cost.peak_bytes < 0 || cost.kept_bytes < 0 || cost.outside_bytes < 0 ||
        cost.graph_bytes.value_or(0) < 0) {
        throw_at(costs, pool, bucket, "a negative number of bytes or no slots, expected at least 0 and 1");
    }
    if (cost.trace && *cost.trace >= costs.traces.size()) {
        throw_at(
            costs, pool, bucket,
            fmt::format("trace {} of {}, expected an index into /traces", *cost.trace, costs.traces.size()));
    }
}

}  // namespace

/// Numbers walks in the order in which they are met.
class Catalog::WalkNames {
  public:
    explicit WalkNames(std::vector<WalkItem>& walks) : walks_(walks) {}

    std::uint32_t operator()(const std::string& walk, const std::optional<std::string>& key) {
        const auto next = static_cast<std::uint32_t>(walks_.size());
        const auto [found, added] = names_.try_emplace(walk_name(walk, key), next);
        if (added) walks_.emplace_back();
        return found->second;
    }

  private:
    std::vector<WalkItem>& walks_;
    std::unordered_map<std::string, std::uint32_t> names_;
};

/// What buckets need of their walks' buffers.
class Catalog::Needs {
  public:
    explicit Needs(const Catalog& catalog) : catalog_(catalog), traces_(catalog.costs().traces.size()) {}

    BufferSize operator()(const BucketCost& cost) {
        if (catalog_.outputs() == Outputs::per_graph || cost.region || !cost.graph_bytes) return {};
        const Bytes traced = cost.trace ? in_trace(*cost.trace) : 0;
        // More than any device has stays so, and can be rounded.
        const Bytes kept = std::min(cost.kept_bytes, AllocatorRules::kLargest + 1);
        return {cost.slots, traced > 0 ? traced : round_up(kept, AllocatorRules::kMinBlock)};
    }

  private:
    Bytes in_trace(std::size_t trace) {
        if (!traces_[trace]) traces_[trace] = slot_bytes_of(catalog_.costs().traces[trace]);
        return *traces_[trace];
    }

    const Catalog& catalog_;
    std::vector<std::optional<Bytes>> traces_;  ///< buckets may share one
};

Catalog::Catalog(const Costs& costs, Outputs outputs) : costs_(&costs), outputs_(outputs) {
    std::unordered_map<std::string_view, std::vector<const WalkCosts*>> walks;
    for (const WalkCosts& walk : costs.walks) walks[walk.pool].push_back(&walk);
    std::size_t count = 0;
    for (const PoolCosts& pool : costs.pools) count += pool.buckets.size();
    items_.reserve(count);
    Needs needs(*this);
    for (std::size_t pool = 0; pool < costs.pools.size(); ++pool) {
        first_.push_back(static_cast<ItemIndex>(items_.size()));
        WalkNames names(walks_);
        for (const WalkCosts* walk : walks[costs.pools[pool].name]) {
            walks_[names(walk->walk, walk->key)] = {walk, std::max<Bytes>(walk->held_bytes, 0), {}};
        }
        add_pool(static_cast<std::uint32_t>(pool), names, needs);
    }
    first_.push_back(static_cast<ItemIndex>(items_.size()));
    rank_names();
}

void Catalog::add_pool(std::uint32_t pool, WalkNames& walks, Needs& needs) {
    const PoolCosts& costs = costs_->pools[pool];
    for (std::uint32_t index = 0; index < costs.buckets.size(); ++index) {
        const BucketCost& cost = costs.buckets[index];
        check_fields(*costs_, pool, index, cost);
        Item item;
        item.cost = &cost;
        item.pool = pool;
        item.index = index;
        item.walk = walks(cost.id.walk, cost.id.key);
        item.buffer = needs(cost);
        const auto largest = most(item);
        const auto total = largest ? checked_add(total_, *largest) : std::nullopt;
        if (!total)
            throw_at(*costs_, pool, index, "the sum of all buckets' bytes passes 2^63: check its figures");
        total_ = *total;
        if (!add_buffer(item))
            throw_at(*costs_, pool, index, "shared outputs take more than any device has: check its figures");
        floor_ = std::max(floor_, cost.peak_bytes);
        graphs_ += cost.graph_bytes.has_value();
        traced_ += cost.graph_bytes && cost.trace;
        items_.push_back(item);
    }
}

/// False where all buffers take more than 2^61, or all buckets with them more than 2^63.
bool Catalog::add_buffer(const Item& item) {
    WalkItem& walk = walks_[item.walk];
    const Bytes before = bytes_of(walk.buffer);
    walk.buffer = larger(walk.buffer, item.buffer);
    const auto after = checked_bytes(walk.buffer);
    if (!after) return false;
    buffers_ += *after - before;
    return buffers_ <= AllocatorRules::kLargest && checked_add(total_, buffers_);
}

void Catalog::rank_names() {
    std::vector<std::uint32_t> order(costs_->pools.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return costs_->pools[a].name < costs_->pools[b].name; });
    name_rank_.resize(order.size());
    for (std::uint32_t rank = 0; rank < order.size(); ++rank) name_rank_[order[rank]] = rank;
}

std::string Catalog::name(ItemIndex item) const {
    return fmt::format("{}: {}", shortened(costs_->pools[items_[item].pool].name, 120),
                       shortened(to_string(items_[item].cost->id), 200));
}

}  // namespace graphplan
