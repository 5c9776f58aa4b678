#include "bench_inputs.hpp"

#include <random>
#include <string>
#include <unordered_set>

namespace graphplan::bench {
namespace {

constexpr std::size_t kPools = 8;

BucketCost random_bucket(std::mt19937_64& random, std::int64_t size) {
    const auto up_to = [&](Bytes most) {
        return static_cast<Bytes>(random() % static_cast<std::uint64_t>(most));
    };
    BucketCost cost;
    cost.id = {size % 2 == 0 ? "decode" : "prefill", std::nullopt, size, size};
    cost.peak_bytes = up_to(kGiB);
    cost.kept_bytes = up_to(64 * kMiB);
    cost.graph_bytes = cost.kept_bytes + up_to(2 * kGiB);
    cost.slots = 1 + size % 2;
    cost.outside_bytes = up_to(2 * kMiB);
    return cost;
}

}  // namespace

Costs segments_costs(std::size_t buckets) {
    std::mt19937_64 random(1);
    Costs costs;
    costs.free_bytes_before = Bytes{1} << 50;
    costs.free_bytes = Bytes{1} << 50;
    for (std::size_t pool = 0; pool < kPools; ++pool)
        costs.pools.push_back({"pool" + std::to_string(pool), {}});
    for (std::size_t i = 0; i < buckets; ++i) {
        const auto size = static_cast<std::int64_t>(buckets - i);
        costs.pools[i % kPools].buckets.push_back(random_bucket(random, size));
    }
    for (const PoolCosts& pool : costs.pools) {
        for (const char* walk : {"decode", "prefill"}) {
            WalkCosts held;
            held.pool = pool.name;
            held.walk = walk;
            held.held_bytes = kGiB;
            costs.walks.push_back(held);
        }
    }
    return costs;
}

Costs exact_costs(const Trace& recording) {
    Costs costs;
    costs.free_bytes_before = Bytes{1} << 40;
    costs.free_bytes = Bytes{1} << 40;
    costs.allocator = recording.allocator;
    costs.pools.push_back({"main", {}});
    for (const TraceCapture& capture : recording.captures) {
        BucketCost cost;
        cost.id = capture.id;
        cost.peak_bytes = capture.eager_peak_bytes.value_or(0);
        cost.kept_bytes = capture.kept_bytes.value_or(0);
        cost.graph_bytes = cost.kept_bytes + cost.peak_bytes;
        cost.slots = 2;
        cost.nodes = capture.nodes;
        cost.trace = costs.traces.size();
        costs.pools[0].buckets.push_back(cost);
        // A costs document's traces stand alone: what an earlier capture allocated is not theirs to free.
        std::unordered_set<std::int64_t> live;
        costs.traces.emplace_back();
        for (const TraceEvent& event : capture.events) {
            if (event.allocates) live.insert(event.id);
            if (event.allocates || live.erase(event.id) > 0) costs.traces.back().push_back(event);
        }
    }
    return costs;
}

}  // namespace graphplan::bench
