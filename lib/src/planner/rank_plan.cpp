#include "planner/rank_plan.hpp"

#include <algorithm>
#include <utility>

#include "planner/checked.hpp"
#include "planner/exact_search.hpp"
#include "planner/segments_search.hpp"

namespace graphplan {

std::unique_ptr<Search> make_search(MemoryModel model, const Catalog& catalog, const Reuse& reuse,
                                    const CaptureOrder& order) {
    if (model == MemoryModel::segments) return std::make_unique<SegmentsSearch>(catalog, reuse);
    return std::make_unique<ExactSearch>(catalog, reuse, order);
}

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
        eager.needs_bytes = taken_.search->cost(item);
        eager.short_bytes = *eager.needs_bytes - budget_.room_left_bytes;
    }
    return eager;
}

}  // namespace graphplan
