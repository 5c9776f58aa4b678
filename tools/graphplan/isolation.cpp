#include "isolation.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "child_process.hpp"
#include "graphplan/documents.hpp"

namespace graphplan::cli {
namespace {

constexpr int kInterrupted = 130;

ChildResult run_walk(std::vector<std::string> arguments, std::size_t walk, const std::string& refusal,
                     const std::stop_token& stop) {
    arguments.insert(arguments.end(), {"--only-walk", std::to_string(walk)});
    if (!refusal.empty()) arguments.insert(arguments.end(), {"--warm-only", refusal});
    ChildResult result = run_child(arguments, stop);
    if (result.exit_code == kInterrupted)
        throw Error(ErrorCode::interrupted, "interrupted; nothing was written");
    return result;
}

Costs parsed(const ChildResult& result, const WalkName& walk) {
    return parse_costs({fmt::format("the costs of {}", to_string(walk)), result.out, ""}, {});
}

/// What a walk's own process measured, absent where it cannot even run eagerly.
std::optional<Costs> size_walk(const std::vector<std::string>& child, std::size_t index, const WalkName& walk,
                               std::vector<std::string>& lost, const std::stop_token& stop) {
    const ChildResult sized = run_walk(child, index, "", stop);
    if (sized.exit_code == 0) return parsed(sized, walk);
    const std::string reason = "a process of its own could not size it: " + end_words(sized);
    const ChildResult warmed = run_walk(child, index, reason, stop);
    if (warmed.exit_code == 0) return parsed(warmed, walk);
    lost.push_back(fmt::format("{} cannot even run eagerly: {}", to_string(walk), end_words(warmed)));
    return std::nullopt;
}

std::vector<BucketCost>& pool_of(Costs& costs, const std::string& name) {
    for (PoolCosts& pool : costs.pools) {
        if (pool.name == name) return pool.buckets;
    }
    return costs.pools.emplace_back(PoolCosts{name, {}}).buckets;
}

void append(Costs& all, Costs walk) {
    const std::size_t traces = all.traces.size();
    for (PoolCosts& pool : walk.pools) {
        for (BucketCost& bucket : pool.buckets) {
            if (bucket.trace) *bucket.trace += traces;
            pool_of(all, pool.name).push_back(std::move(bucket));
        }
    }
    for (WalkCosts& executables : walk.walks) {
        executables.held_bytes = 0;
        all.walks.push_back(std::move(executables));
    }
    std::move(walk.traces.begin(), walk.traces.end(), std::back_inserter(all.traces));
    all.one_off_bytes = std::max(all.one_off_bytes, walk.one_off_bytes);
    all.free_bytes_before = std::min(all.free_bytes_before, walk.free_bytes_before);
}

/// Sizing order: a node's walks by size, then its regions.
void put_in_sizing_order(Costs& costs) {
    for (PoolCosts& pool : costs.pools) {
        std::stable_sort(pool.buckets.begin(), pool.buckets.end(),
                         [](const BucketCost& a, const BucketCost& b) {
                             if (a.region || b.region) return !a.region && b.region;
                             return std::tie(a.id.bs, a.id.tokens) > std::tie(b.id.bs, b.id.tokens);
                         });
    }
}

}  // namespace

bool WalkName::names(const BucketSpec& bucket) const {
    return *this == WalkName{bucket.pool, bucket.id.walk, bucket.id.key, bucket.is_region};
}

std::vector<WalkName> walks_of(const Buckets& buckets) {
    std::vector<WalkName> walks;
    for (const CaptureConfig& config : buckets.captures) {
        WalkName walk{config.node, config.walk, config.key, config.is_region};
        if (std::find(walks.begin(), walks.end(), walk) == walks.end()) walks.push_back(std::move(walk));
    }
    return walks;
}

std::string to_string(const WalkName& walk) {
    return walk.key ? fmt::format("{}: {}[{}]", walk.node, walk.walk, *walk.key)
                    : fmt::format("{}: {}", walk.node, walk.walk);
}

IsolatedCosts size_isolated(const Model& model, const Buckets& buckets, const std::vector<std::string>& child,
                            const std::function<void(std::size_t, std::size_t, const WalkName&)>& progress,
                            const std::stop_token& stop) {
    const std::vector<WalkName> walks = walks_of(buckets);
    std::vector<Costs> sized;
    IsolatedCosts result;
    for (std::size_t i = 0; i < walks.size(); ++i) {
        progress(i, walks.size(), walks[i]);
        if (auto costs = size_walk(child, i, walks[i], result.lost, stop)) sized.push_back(std::move(*costs));
    }
    if (sized.empty()) {
        throw Error(ErrorCode::device,
                    fmt::format("no walk could be sized. {}", fmt::join(result.lost, "; ")));
    }
    result.costs.provenance = sized[0].provenance;
    result.costs.allocator = sized[0].allocator;
    result.costs.free_bytes_before = sized[0].free_bytes_before;
    for (const Node& node : model.nodes) {
        for (const Costs& costs : sized) {
            if (costs.pools[0].name == node.name) append(result.costs, costs);
        }
    }
    put_in_sizing_order(result.costs);
    result.costs.free_bytes = result.costs.free_bytes_before;
    return result;
}

}  // namespace graphplan::cli
