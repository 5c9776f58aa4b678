#include "planner/latency_search.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "planner/latency_optimum.hpp"
#include "planner/latency_relaxation.hpp"

namespace graphplan {
namespace {

/// Walks that the traffic asks for, and those of forced buckets beside them.
std::vector<WorkloadWalk> walks_with(const Workload& workload, const std::vector<bool>& forced) {
    std::vector<WorkloadWalk> walks = workload.walks();
    std::map<std::uint32_t, WorkloadWalk> others;
    std::set<std::uint32_t> known;
    for (const WorkloadWalk& walk : walks) known.insert(walk.walk);
    for (ItemIndex item = 0; item < forced.size(); ++item) {
        const Item& of = workload.catalog()[item];
        if (!forced[item] || known.contains(of.walk)) continue;
        WorkloadWalk& walk = others[of.walk];
        walk.pool = of.pool;
        walk.walk = of.walk;
        walk.items.push_back(item);
    }
    for (auto& [index, walk] : others) walks.push_back(std::move(walk));
    return walks;
}

}  // namespace

LatencySearch::LatencySearch(const Workload& workload, const LatencyMemory& memory,
                             const std::vector<bool>& forced)
    : workload_(workload), memory_(memory), forced_(forced), pools_(memory.catalog().pool_count()) {
    for (const WorkloadWalk& walk : walks_with(workload, forced)) {
        pools_[walk.pool].emplace_back(workload, walk, forced);
    }
}

Units LatencySearch::most() const {
    std::vector<bool> all(forced_.size());
    for (const auto& ladders : pools_) {
        for (const LadderGraph& ladder : ladders) {
            for (const ItemIndex item : ladder.items()) all[item] = true;
        }
    }
    return memory_.total(all);
}

LatencyChoice LatencySearch::choose(Units room) const {
    room = std::min(room, most());
    const LatencyOptimum optimum(memory_, pools_, room);
    LatencyChoice choice = optimum.is_small()
                               ? optimum.choose()
                               : LatencyRelaxation(workload_, memory_, pools_, forced_, room).choose();
    drop_useless(choice.captured);
    return choice;
}

void LatencySearch::drop_useless(std::vector<bool>& captured) const {
    for (auto item = static_cast<ItemIndex>(captured.size()); item-- > 0;) {
        if (captured[item] && !forced_[item] && workload_.change(item, captured) <= 0) captured[item] = false;
    }
}

}  // namespace graphplan
