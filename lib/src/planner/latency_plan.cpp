#include "planner/latency_plan.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace graphplan {
namespace {

constexpr int kTries = 6;  // rooms that are tried under the exact model

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
    if (!fits(forced)) return std::nullopt;
    FastestSet best{forced, std::nullopt};
    Units least = memory_.total(forced), most = search.most();
    Units room = room_ / kSegment;
    // The first try is the optimum by segments, which gives the bound; then the room is halved in between.
    for (int i = 0; i < kTries && least <= most; ++i) {
        room = std::clamp(room, least, most);
        const LatencyChoice choice = search.choose(room);
        if (i == 0 && memory_.total(forced) <= room_ / kSegment) best.lower_us = choice.lower_us;
        const bool fit = fits(choice.captured);
        if (fit && workload_.time(choice.captured) < workload_.time(best.captured)) {
            best.captured = choice.captured;
        }
        (fit ? least : most) = fit ? room + 1 : room - 1;
        room = least + (most - least) / 2;
    }
    fill(best.captured);
    return best;
}

Bytes FastestSearch::replayed(Search& search, const std::vector<bool>& captured) const {
    Bytes used = 0;
    for (const ItemIndex item : in_capture_order(captured, order_)) used += search.take(item);
    return used;
}

bool FastestSearch::fits(const std::vector<bool>& captured) const {
    return replayed(*make_search(rules_.model, catalog_, rules_.reuse, order_), captured) <= room_;
}

void FastestSearch::fill(std::vector<bool>& captured) const {
    const auto search = make_search(rules_.model, catalog_, rules_.reuse, order_);
    Bytes left = room_ - replayed(*search, captured);
    for (bool more = true; std::exchange(more, false);) {
        std::vector<std::pair<double, ItemIndex>> gains;
        for (ItemIndex item = 0; item < captured.size(); ++item) {
            if (captured[item] || !catalog_[item].cost->graph_bytes) continue;
            const double change = workload_.change(item, captured);
            if (change < 0) gains.emplace_back(change, item);
        }
        std::sort(gains.begin(), gains.end());
        const auto next = std::find_if(gains.begin(), gains.end(),
                                       [&](const auto& gain) { return search->cost(gain.second) <= left; });
        if (next == gains.end()) return;
        left -= search->take(next->second);
        captured[next->second] = more = true;
    }
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
