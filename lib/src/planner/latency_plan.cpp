#include "planner/latency_plan.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace graphplan {
namespace {

using Set = std::vector<bool>;

constexpr Units kMostOptima = 256;
constexpr std::size_t kMostSets = 50'000;  // neighbours are left out where there would be more
constexpr std::size_t kMostReplays = 400;  // about a second

/// Sets with their weighted times, the fastest first: `best`, and what one bucket more, or one bucket instead
/// of another one, makes of them.
std::vector<std::pair<double, Set>> with_neighbours(const Workload& workload, const std::vector<Set>& best,
                                                    const Set& forced) {
    std::set<std::pair<double, Set>> sets;
    const Catalog& catalog = workload.catalog();
    const std::size_t items = forced.size();
    const bool swaps = best.size() * items * items <= kMostSets;
    const auto add = [&](const Set& captured) { sets.emplace(workload.time(captured), captured); };
    for (const Set& set : best) {
        add(set);
        if (best.size() * items > kMostSets) continue;
        for (ItemIndex in = 0; in < items; ++in) {
            if (set[in] || !catalog[in].cost->graph_bytes) continue;
            Set near = set;
            const auto add_with = [&] {
                if (!(workload.change(in, near) < 0)) return;
                near[in] = true;
                add(near);
                near[in] = false;
            };
            add_with();
            for (ItemIndex out = 0; out < items && swaps; ++out) {
                if (!set[out] || forced[out]) continue;
                near[out] = false;
                add_with();
                near[out] = true;
            }
        }
    }
    return {sets.begin(), sets.end()};
}

}  // namespace

FastestSearch::FastestSearch(const Workload& workload, const RankRules& rules, const CaptureOrder& order,
                             Bytes room)
    : workload_(workload),
      catalog_(workload.catalog()),
      rules_(rules),
      order_(order),
      room_(room),
      memory_(catalog_, rules.reuse) {}

std::optional<FastestSet> FastestSearch::choose(const std::vector<bool>& forced) const {
    const LatencySearch search(workload_, memory_, forced);
    return rules_.model == MemoryModel::segments ? by_segments(search, forced) : by_allocator(search, forced);
}

std::optional<FastestSet> FastestSearch::by_segments(const LatencySearch& search,
                                                     const std::vector<bool>& forced) const {
    const Units room = room_ / kSegment;
    if (memory_.total(forced) > room) return std::nullopt;
    LatencyChoice choice = search.choose(room);
    return FastestSet{std::move(choice.captured), choice.lower_us};
}

std::optional<FastestSet> FastestSearch::by_allocator(const LatencySearch& search,
                                                      const std::vector<bool>& forced) const {
    // Memory is no bound here: only what any set takes is.
    const double lower_us = search.choose(search.most()).lower_us;
    const std::vector<Set> best = optima(search, forced);
    std::size_t replays = 0;
    for (const auto& [us, captured] : with_neighbours(workload_, best, forced)) {
        if (replays++ == kMostReplays) break;
        if (fits(captured)) return FastestSet{captured, lower_us};
    }
    for (const Set& captured : best) {
        if (fits(captured)) return FastestSet{captured, lower_us};
    }
    return std::nullopt;
}

std::vector<Set> FastestSearch::optima(const LatencySearch& search, const Set& forced) const {
    std::vector<Set> sets;
    const Units least = memory_.total(forced), most = search.most();
    const Units step = std::max<Units>(1, (most - least) / kMostOptima);
    for (Units room = most; room > least;) {
        sets.push_back(search.choose(room).captured);
        room = std::min(memory_.total(sets.back()) - 1, room - step);
    }
    sets.push_back(forced);
    return sets;
}

bool FastestSearch::fits(const Set& captured) const {
    const auto search = make_search(rules_.model, catalog_, rules_.reuse, order_);
    Bytes used = 0;
    for (const ItemIndex item : in_capture_order(captured, order_)) used += search->take(item);
    return used <= room_;
}

std::vector<ItemIndex> in_capture_order(const std::vector<bool>& captured, const CaptureOrder& order) {
    std::vector<ItemIndex> items;
    for (ItemIndex item = 0; item < captured.size(); ++item) {
        if (captured[item]) items.push_back(item);
    }
    std::sort(items.begin(), items.end(), order);
    return items;
}

std::vector<bool> captured_in(const Plan& plan, const Catalog& catalog) {
    std::map<std::pair<std::string, BucketKey>, ItemIndex> items;
    for (ItemIndex item = 0; item < catalog.items().size(); ++item) {
        const Item& of = catalog[item];
        items.emplace(std::pair(catalog.costs().pools[of.pool].name, of.cost->id), item);
    }
    std::vector<bool> captured(catalog.items().size());
    for (const PoolPlan& pool : plan.pools) {
        for (const PlannedCapture& capture : pool.captures) {
            const auto item = items.find({pool.name, capture.id});
            if (item != items.end()) captured[item->second] = true;
        }
    }
    return captured;
}

}  // namespace graphplan
