#include "sizing/sized_buckets.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace graphplan {
namespace {

PoolCosts& pool_named(std::vector<PoolCosts>& pools, const std::string& name) {
    const auto found =
        std::find_if(pools.begin(), pools.end(), [&](const PoolCosts& pool) { return pool.name == name; });
    if (found != pools.end()) return *found;
    pools.push_back({name, {}});
    return pools.back();
}

auto find_walk(auto& walks, const BucketSpec& bucket) {
    return std::find_if(walks.begin(), walks.end(), [&](const SizedWalk& walk) {
        return walk.pool == bucket.pool && walk.walk == bucket.id.walk && walk.key == bucket.id.key;
    });
}

WalkCosts costs_of(const SizedWalk& walk) {
    const ExecutableFigures& figures = walk.executable.figures();
    WalkCosts costs;
    costs.pool = walk.pool;
    costs.walk = walk.walk;
    costs.key = walk.key;
    costs.nodes = walk.executable.nodes();
    costs.bytes_per_node = figures.bytes_per_node;
    costs.held_bytes = figures.held_bytes;
    costs.copies = figures.copies - figures.early_copies;
    if (!walk.executable.varies()) costs.curve_bytes = figures.curve_bytes;
    return costs;
}

}  // namespace

std::string SizedWalk::label() const {
    return key ? fmt::format("{}: {}[{}]", pool, walk, *key) : fmt::format("{}: {}", pool, walk);
}

SizedBucket& SizedBuckets::add(const BucketSpec& bucket, const ForwardResult& forward) {
    SizedBucket sized;
    sized.spec = &bucket;
    sized.cost.id = bucket.id;
    sized.cost.slots = bucket.slots;
    if (bucket.is_region) sized.cost.region = bucket.id.walk;
    sized.cost.peak_bytes = forward.peak_bytes;
    sized.cost.kept_bytes = forward.output_bytes + (bucket.is_region ? bucket.input_bytes : 0);
    return buckets_.emplace_back(std::move(sized));
}

SizedWalk& SizedBuckets::walk_of(const BucketSpec& bucket) {
    const auto found = find_walk(walks_, bucket);
    if (found != walks_.end()) return *found;
    SizedWalk& walk = walks_.emplace_back();
    walk.pool = bucket.pool;
    walk.walk = bucket.id.walk;
    walk.key = bucket.id.key;
    return walk;
}

void SizedBuckets::leave_out(SizedBucket& sized, const Failure& failure) { sized.cost.failure = failure; }

void SizedBuckets::lend(SizedBucket& sized, const SizedWalk& walk, EventTrace eager) {
    sized.cost.graph_bytes = walk.lending.lent_graph_bytes(sized.cost.kept_bytes);
    sized.cost.outside_bytes = walk.lending.lender().outside_bytes;
    sized.cost.nodes = walk.lending.lender().nodes;
    sized.cost.sized_by = SizedBy::lend;
    sized.trace = std::move(eager);
}

void SizedBuckets::take(SizedBucket& sized, ThrownAway thrown) {
    BucketCost& cost = sized.cost;
    cost.sized_by = SizedBy::capture;
    cost.failure = std::move(thrown.failure);
    if (cost.failure) {
        cost.graph_bytes.reset();
        cost.nodes.reset();
        cost.outside_bytes = 0;
        sized.trace.reset();
        return;
    }
    // An output that is one of the inputs lies outside the pool, which then keeps less than the outputs are.
    if (!cost.region) cost.kept_bytes = std::min(cost.kept_bytes, thrown.pool_bytes);
    cost.graph_bytes = thrown.pool_bytes + (cost.region ? cost.kept_bytes : 0);
    cost.outside_bytes = thrown.outside_bytes;
    cost.nodes = thrown.nodes;
    sized.copied = thrown.copied;
    sized.trace = std::move(thrown.trace);
}

CapturedSize SizedBuckets::as_lender(const SizedBucket& sized) {
    const BucketCost& cost = sized.cost;
    return {cost.peak_bytes, cost.graph_bytes.value_or(0), cost.kept_bytes, cost.outside_bytes,
            cost.nodes.value_or(0)};
}

void SizedBuckets::release_copies() noexcept {
    for (SizedWalk& walk : walks_) walk.executable.release();
}

// In a walk without one curve for all, the graph that was copied took what its first copies did.
void SizedBuckets::price_copied(BucketCost& cost, const ExecutableMemory& executable) {
    const ExecutableFigures& figures = executable.figures();
    if (!executable.varies() || figures.curve_bytes.size() < 2) return;
    const std::int64_t copies = std::min(cost.slots, figures.copies);
    const std::int64_t counted = std::max<std::int64_t>(copies - figures.early_copies, 0);
    cost.outside_bytes = figures.curve_bytes[static_cast<std::size_t>(counted)] / copies;
}

void SizedBuckets::write_to(Costs& costs) const {
    for (const SizedBucket& sized : buckets_) {
        BucketCost cost = sized.cost;
        if (sized.copied) price_copied(cost, find_walk(walks_, *sized.spec)->executable);
        if (sized.trace) {
            cost.trace = costs.traces.size();
            costs.traces.push_back(*sized.trace);
        }
        pool_named(costs.pools, sized.spec->pool).buckets.push_back(std::move(cost));
    }
    for (const SizedWalk& walk : walks_) {
        if (walk.executable.measured()) costs.walks.push_back(costs_of(walk));
    }
}

}  // namespace graphplan
