#include "planner/latency_relaxation.hpp"

#include <algorithm>
#include <limits>

#include "planner/latency_optimum.hpp"

namespace graphplan {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostLimits = 64;     // of a pool
constexpr std::size_t kMostSlotLimits = 8;  // of a walk
constexpr int kMostPrices = 60;
constexpr std::size_t kMostWork = 200'000'000;

}  // namespace

LatencyRelaxation::LatencyRelaxation(const Workload& workload, const LatencyMemory& memory,
                                     const Pools& pools, const std::vector<bool>& forced, Units room)
    : workload_(workload), memory_(memory), pools_(pools), forced_(forced), room_(room) {
    for (const auto& ladders : pools) {
        limits_.push_back(grouped(scratch_limits(memory, ladders), kMostLimits));
    }
    best_.captured = forced;
    best_us_ = workload.time(forced);
}

std::vector<LatencyRelaxation::Limits> LatencyRelaxation::grouped(const std::vector<std::int64_t>& limits,
                                                                  std::size_t most_groups) {
    const std::size_t together = (limits.size() + most_groups - 1) / most_groups;
    std::vector<Limits> groups;
    for (std::size_t i = 0; i < limits.size(); i += together) {
        groups.push_back({limits[i], limits[std::min(i + together, limits.size()) - 1]});
    }
    return groups;
}

LatencyRelaxation::Paths LatencyRelaxation::shortest(const LadderGraph& ladder, Units scratch,
                                                     double price) const {
    Paths best{kNever, 0, {}};
    for (const Limits& slots : grouped(slot_limits(memory_, ladder), kMostSlotLimits)) {
        Paths paths = shortest(ladder, scratch, slots, price);
        if (paths.cost(price) < best.cost(price)) best = std::move(paths);
    }
    return best;
}

LatencyRelaxation::Paths LatencyRelaxation::shortest(const LadderGraph& ladder, Units scratch, Limits slots,
                                                     double price) const {
    const auto& nodes = ladder.nodes();
    std::vector<double> cost(nodes.size(), kNever);
    std::vector<const LadderGraph::Arc*> came(nodes.size());
    const auto units = [&](const LadderGraph::Arc& arc) {
        const ItemIndex item = ladder.items()[arc.item];
        return memory_.kept(item) + memory_.outside(item) +
               memory_.growth(item, slots.least, nodes[arc.from].slot_bytes);
    };
    const auto allowed = [&](const LadderGraph::Arc& arc) {
        const ItemIndex item = ladder.items()[arc.item];
        return memory_.scratch(item) <= scratch && memory_.catalog()[item].buffer.slots <= slots.most;
    };
    cost[0] = 0;
    double best = kNever;
    std::size_t last = 0;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        for (const LadderGraph::Arc& arc : nodes[node].arcs) {
            if (!allowed(arc)) continue;
            const double with = cost[arc.from] + arc.us + price * static_cast<double>(units(arc));
            if (!(with < cost[node])) continue;
            cost[node] = with;
            came[node] = &arc;
        }
        if (!nodes[node].may_end || !(cost[node] + nodes[node].tail_us < best)) continue;
        best = cost[node] + nodes[node].tail_us;
        last = node;
    }
    Paths path{best == kNever ? kNever : nodes[last].tail_us, 0, {}};
    for (std::size_t node = last; node != 0 && came[node]; node = came[node]->from) {
        path.us += came[node]->us;
        path.units += units(*came[node]);
        path.items.push_back(ladder.items()[came[node]->item]);
    }
    return path;
}

LatencyRelaxation::Paths LatencyRelaxation::pool_paths(std::size_t pool, double price) const {
    Paths best{kNever, 0, {}};
    for (const Limits& limits : limits_[pool]) {
        Paths sum{0, limits.least, {}};
        for (const LadderGraph& ladder : pools_[pool]) {
            const Paths path = shortest(ladder, limits.most, price);
            sum.us += path.us;
            sum.units += path.units;
            sum.items.insert(sum.items.end(), path.items.begin(), path.items.end());
        }
        if (sum.cost(price) < best.cost(price)) best = std::move(sum);
    }
    return best;
}

LatencyRelaxation::Paths LatencyRelaxation::solve(double price) {
    Paths all;
    for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
        const Paths paths = pool_paths(pool, price);
        all.us += paths.us;
        all.units += paths.units;
        all.items.insert(all.items.end(), paths.items.begin(), paths.items.end());
    }
    const double room = static_cast<double>(room_ + memory_.most_reuse());
    best_.lower_us = std::max(best_.lower_us, all.cost(price) - price * room);
    consider(all.items);
    return all;
}

void LatencyRelaxation::search_price() {
    const Units room = room_ + memory_.most_reuse();
    Paths large = solve(0);
    // A unit that costs more than all steps take is never paid.
    Paths small = solve(workload_.time(forced_) + 1);
    for (int i = 0; i < kMostPrices && large.units > room && large.units > small.units; ++i) {
        const double price = (small.us - large.us) / static_cast<double>(large.units - small.units);
        if (!(price > 0)) return;
        Paths between = solve(price);
        if (between.cost(price) >= small.cost(price) * (1 - 1e-12)) return;
        (between.units > room ? large : small) = std::move(between);
    }
}

void LatencyRelaxation::consider(const std::vector<ItemIndex>& items) {
    std::vector<bool> captured = forced_;
    for (const ItemIndex item : items) captured[item] = true;
    if (memory_.total(captured) > room_) return;
    const double us = workload_.time(captured);
    if (!(us < best_us_)) return;
    best_us_ = us;
    best_.captured = std::move(captured);
}

void LatencyRelaxation::improve() {
    std::vector<ItemIndex> items;
    for (const auto& ladders : pools_) {
        for (const LadderGraph& ladder : ladders) {
            for (const ItemIndex item : ladder.items()) {
                if (!forced_[item]) items.push_back(item);
            }
        }
    }
    std::size_t work = 0;
    const std::size_t round = items.size() * (items.size() + best_.captured.size());
    while (work <= kMostWork && improve_once(items)) work += round;
}

/// Captures, or no longer captures, the bucket that saves the most time where the result fits.
bool LatencyRelaxation::improve_once(const std::vector<ItemIndex>& items) {
    std::vector<bool>& captured = best_.captured;
    double best = 0;
    std::optional<ItemIndex> chosen;
    for (const ItemIndex item : items) {
        const double change = workload_.change(item, captured);
        if (!(change < best)) continue;
        captured[item] = !captured[item];
        const bool fits = memory_.total(captured) <= room_;
        captured[item] = !captured[item];
        if (!fits) continue;
        best = change;
        chosen = item;
    }
    if (chosen) captured[*chosen] = !captured[*chosen];
    return chosen.has_value();
}

LatencyChoice LatencyRelaxation::choose() {
    search_price();
    improve();
    return best_;
}

}  // namespace graphplan
