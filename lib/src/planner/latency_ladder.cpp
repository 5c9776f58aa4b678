#include "planner/latency_ladder.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"

namespace graphplan {
namespace {

constexpr std::size_t kMostItems = 1024;

bool has_bit(const std::vector<std::uint64_t>& bits, std::size_t i) { return bits[i / 64] >> (i % 64) & 1U; }
void set_bit(std::vector<std::uint64_t>& bits, std::size_t i) {
    bits[i / 64] |= std::uint64_t{1} << (i % 64);
}

}  // namespace

LadderGraph::LadderGraph(const Workload& workload, const WorkloadWalk& walk, const std::vector<bool>& forced,
                         std::size_t most_arcs)
    : is_region_(walk.is_region), most_arcs_(most_arcs) {
    for (const ItemIndex item : walk.items) {
        if (!workload.catalog()[item].cost->graph_bytes) continue;
        items_.push_back(item);
        forced_.push_back(forced[item]);
        slot_bytes_.push_back(workload.catalog()[item].buffer.slot_bytes);
        replay_us_.push_back(walk.steps.empty() ? 0 : workload.replay_us(item));
    }
    if (items_.size() > kMostItems) {
        throw Error(
            ErrorCode::invalid_argument,
            fmt::format("{}: {} buckets of one walk, at most {} can be planned for latency: plan with "
                        "--objective count, or size fewer",
                        workload.catalog().name(items_.front()), items_.size(), kMostItems));
    }
    add_classes(workload, walk);
    if (build()) return;
    width_ = std::max<std::size_t>(2 * most_arcs_ / (items_.size() * items_.size()), 1);
    build();
}

void LadderGraph::add_classes(const Workload& workload, const WorkloadWalk& walk) {
    std::map<Steps, std::size_t> known;
    std::vector<Steps> masks;
    for (const WorkloadStep& step : walk.steps) {
        Steps mask(items_.size() / 64 + 1);
        for (std::size_t i = 0; i < items_.size(); ++i) {
            if (is_region_ ? items_[i] == step.tightest : workload.fits(step, items_[i])) set_bit(mask, i);
        }
        const auto [found, added] = known.try_emplace(mask, classes_.size());
        if (added) {
            classes_.emplace_back();
            masks.push_back(mask);
        }
        classes_[found->second].weight += step.weight;
        classes_[found->second].eager_us += step.weight * workload.eager_us(step.tightest);
    }
    fits_.assign(items_.size(), Steps(classes_.size() / 64 + 1));
    for (std::size_t c = 0; c < classes_.size(); ++c) {
        classes_[c].first = static_cast<std::uint32_t>(items_.size());
        for (auto i = static_cast<std::uint32_t>(items_.size()); i-- > 0;) {
            if (!has_bit(masks[c], i)) continue;
            set_bit(fits_[i], c);
            classes_[c].first = i;
        }
    }
}

bool LadderGraph::build() {
    nodes_.assign(1, {});
    last_.assign(1, 0);
    served_.assign(1, Steps(classes_.size() / 64 + 1));
    arc_count_ = 0;
    for (std::uint32_t item = 0; item < items_.size(); ++item) {
        if (!add_item(item)) return false;
    }
    const auto last_forced = std::find(forced_.rbegin(), forced_.rend(), true);
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        nodes_[node].tail_us = unserved_us(served_[node]);
        nodes_[node].may_end = last_[node] >= static_cast<std::size_t>(forced_.rend() - last_forced);
    }
    return true;
}

bool LadderGraph::add_item(std::uint32_t item) {
    const std::size_t first = nodes_.size();
    // Nodes before the last bucket that must be captured lead nowhere past it.
    std::uint32_t least_last = item;
    while (least_last > 0 && !forced_[least_last - 1]) --least_last;
    std::map<std::pair<Steps, Bytes>, std::uint32_t> known;
    for (std::uint32_t from = 0; from < first; ++from) {
        if (last_[from] < least_last) continue;
        if (!forced_[item] && !serves_more(served_[from], item)) continue;
        Steps served = served_[from];
        const double us = settle(served, item);
        const Bytes slot_bytes = std::max(nodes_[from].slot_bytes, slot_bytes_[item]);
        auto to = known.find({served, slot_bytes});
        if (to == known.end()) {
            const std::uint32_t node = node_for(item, served, slot_bytes, first);
            to = known.emplace(std::pair(served, slot_bytes), node).first;
        }
        nodes_[to->second].arcs.push_back({from, item, us});
        if (++arc_count_ > most_arcs_ && is_exact()) return false;
    }
    return true;
}

std::uint32_t LadderGraph::node_for(std::uint32_t item, const Steps& served, Bytes slot_bytes,
                                    std::size_t first) {
    if (nodes_.size() - first < width_) {
        nodes_.emplace_back().slot_bytes = slot_bytes;
        last_.push_back(item + 1);
        served_.push_back(served);
    } else {
        for (std::size_t i = 0; i < served.size(); ++i) served_.back()[i] |= served[i];
        nodes_.back().slot_bytes = std::max(nodes_.back().slot_bytes, slot_bytes);
    }
    return static_cast<std::uint32_t>(nodes_.size() - 1);
}

bool LadderGraph::serves_more(const Steps& served, std::uint32_t item) const {
    for (std::size_t i = 0; i < served.size(); ++i) {
        if (fits_[item][i] & ~served[i]) return true;
    }
    return false;
}

/// Marks the steps that run on the item as served (a region's tighter ones too, which then run eagerly),
/// and says what they take.
double LadderGraph::settle(Steps& served, std::uint32_t item) const {
    double us = 0;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
        const bool fits = has_bit(fits_[item], c);
        if (has_bit(served, c) || !(fits || (is_region_ && classes_[c].first < item))) continue;
        set_bit(served, c);
        us += fits ? classes_[c].weight * replay_us_[item] : classes_[c].eager_us;
    }
    return us;
}

double LadderGraph::unserved_us(const Steps& served) const {
    double us = 0;
    for (std::size_t c = 0; c < classes_.size(); ++c) {
        if (!has_bit(served, c)) us += classes_[c].eager_us;
    }
    return us;
}

}  // namespace graphplan
