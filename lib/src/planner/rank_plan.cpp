#include "planner/rank_plan.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "planner/checked.hpp"

namespace graphplan {

RankChoice::RankChoice(const Catalog& catalog, const RankRules& rules, const Budget& budget)
    : catalog_(catalog), rules_(rules), budget_(budget), order_(catalog), taken_(nothing(rules.model)) {}

RankChoice::Taken RankChoice::nothing(MemoryModel model) const {
    Taken taken;
    taken.search = make_search(model, catalog_, rules_.reuse, order_);
    taken.flags.resize(catalog_.items().size());
    return taken;
}

void RankChoice::take_demanded(Taken& taken, const std::vector<bool>& demanded) const {
    for (ItemIndex item = 0; item < demanded.size(); ++item) {
        if (!demanded[item]) continue;
        taken.flags[item] = true;
        taken.search->offer(item);
    }
    while (const auto choice = taken.search->take_cheapest(kMaxBytes)) {
        taken.choices.push_back(*choice);
        taken.used += choice->cost;
    }
}

void RankChoice::fill(Taken& taken) const {
    for (ItemIndex item = 0; item < taken.flags.size(); ++item) {
        if (!taken.flags[item] && catalog_[item].cost->graph_bytes) taken.search->offer(item);
    }
    while (const auto choice = taken.search->take_cheapest(budget_.room_bytes - taken.used)) {
        taken.choices.push_back(*choice);
        taken.flags[choice->item] = true;
        taken.used += choice->cost;
    }
}

bool RankChoice::choose(const std::vector<bool>& demanded) {
    taken_ = nothing(rules_.model);
    if (!floor_fits()) return true;
    take_demanded(taken_, demanded);
    if (!taken_.choices.empty() && taken_.used > budget_.room_bytes) {
        taken_ = nothing(rules_.model);
        return false;
    }
    fill(taken_);
    if (rules_.model == MemoryModel::exact) prefer_segments(demanded);
    budget_.room_left_bytes = budget_.room_bytes - taken_.used;
    return true;
}

void RankChoice::prefer_segments(const std::vector<bool>& demanded) {
    Taken segments = nothing(MemoryModel::segments);
    take_demanded(segments, demanded);
    fill(segments);
    if (segments.choices.size() <= taken_.choices.size()) return;
    Taken replayed = nothing(MemoryModel::exact);
    for (const Choice& choice : segments.choices) {
        replayed.choices.push_back({choice.item, replayed.search->take(choice.item)});
        replayed.used += replayed.choices.back().cost;
        replayed.flags[choice.item] = true;
    }
    if (replayed.used > budget_.room_bytes) return;
    fill(replayed);
    taken_ = std::move(replayed);
}

bool RankChoice::choose_fastest(const Workload& workload, const std::vector<bool>& demanded) {
    taken_ = nothing(rules_.model);
    workload_ = &workload;
    const bool demands = std::find(demanded.begin(), demanded.end(), true) != demanded.end();
    if (!floor_fits()) return true;
    if (budget_.room_bytes < 0) return !demands;
    const auto fastest = FastestSearch(workload, rules_, order_, budget_.room_bytes).choose(demanded);
    if (!fastest) return false;
    lower_us_ = fastest->lower_us;
    for (const ItemIndex item : in_capture_order(fastest->captured, order_)) {
        const Bytes cost = cost_of(item);
        taken_.search->take(item);
        taken_.choices.push_back({item, cost});
        taken_.used += cost;
        taken_.flags[item] = true;
    }
    budget_.room_left_bytes = budget_.room_bytes - taken_.used;
    return true;
}

Bytes RankChoice::total(const std::vector<bool>& demanded) const {
    Taken taken = nothing(rules_.model);
    take_demanded(taken, demanded);
    return taken.used;
}

EagerBucket RankChoice::reason(ItemIndex item) {
    const BucketCost& cost = *catalog_[item].cost;
    EagerBucket eager;
    eager.id = cost.id;
    eager.region = cost.region;
    if (!cost.graph_bytes) {
        const bool denied = cost.failure && cost.failure->kind == Failure::Kind::denied;
        eager.reason = denied ? EagerReason::denied : EagerReason::not_captured;
        if (cost.failure && !cost.failure->reason.empty()) eager.detail = cost.failure->reason;
    } else if (!floor_fits()) {
        eager.reason = EagerReason::floor_does_not_fit;
        eager.needs_bytes = budget_.floor_bytes;
        eager.short_bytes = budget_.floor_bytes - budget_.free_bytes;
    } else {
        eager.reason = EagerReason::does_not_fit;
        eager.needs_bytes = cost_of(item);
        eager.short_bytes = *eager.needs_bytes - budget_.room_left_bytes;
        if (workload_) weigh(eager, item);
    }
    return eager;
}

/// What a bucket would add: in whole segments where the choice counted so.
Bytes RankChoice::cost_of(ItemIndex item) {
    if (!workload_ || rules_.model == MemoryModel::exact) return taken_.search->cost(item);
    const LatencyMemory memory(catalog_, rules_.reuse);
    std::vector<bool> with = taken_.flags;
    with[item] = true;
    return (memory.total(with) - memory.total(taken_.flags)) * kSegment;
}

/// More memory only helps a bucket that would make steps faster.
void RankChoice::weigh(EagerBucket& eager, ItemIndex item) {
    const double change = workload_->change(item, taken_.flags) / workload_->weight();
    if (change < 0 && *eager.short_bytes > 0) return;
    eager.reason = EagerReason::not_worth_it;
    eager.short_bytes.reset();
    eager.detail = change < 0    ? "a faster plan without it was found first"
                   : change == 0 ? "no step would be faster with it"
                                 : fmt::format("a step would take {:.3g} us more on average", change);
}

}  // namespace graphplan
