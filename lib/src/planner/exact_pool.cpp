#include "planner/exact_pool.hpp"

#include <algorithm>

#include "memory/allocator_rules.hpp"

namespace graphplan {
namespace {

Bytes region_bytes(const BucketCost& cost) { return cost.region ? cost.slots * cost.kept_bytes : 0; }

}  // namespace

std::size_t ExactPool::place_of(ItemIndex item) const {
    return static_cast<std::size_t>(std::upper_bound(taken_.begin(), taken_.end(), item, order_) -
                                    taken_.begin());
}

LiveBytes ExactPool::peak_at(const Around& place, ItemIndex item) const {
    const CompiledTrace& trace = replay_.trace(item);
    const LiveBytes earlier_slots = trace.kept * (catalog_[item].cost->slots - 1);
    return place.kept + earlier_slots + larger(trace.peak, trace.bare_peak + place.workspaces);
}

Bytes ExactPool::lower_bound(ItemIndex item) const {
    const Around& place = around_[place_of(item)];
    const LiveBytes kept = replay_.trace(item).kept * catalog_[item].cost->slots;
    const LiveBytes peak = larger(larger(place.peak, peak_at(place, item)), kept + place.peak_from);
    const bool expandable = catalog_.costs().allocator.expandable_segments;
    return round_up(peak.small, AllocatorRules::kSmallUnit) +
           round_up(peak.large, expandable ? AllocatorRules::kLargeUnit : AllocatorRules::kSmallUnit) +
           region_bytes_ + region_bytes(*catalog_[item].cost);
}

std::optional<Bytes> ExactPool::with(ItemIndex item, Bytes limit) {
    const Bytes outside = region_bytes_ + region_bytes(*catalog_[item].cost);
    if (limit < outside) return std::nullopt;
    tried_ = taken_;
    tried_.insert(tried_.begin() + static_cast<std::ptrdiff_t>(place_of(item)), item);
    const auto pool = replay_.run(tried_, limit - outside);
    return pool ? std::optional(*pool + outside) : std::nullopt;
}

void ExactPool::take(ItemIndex item, Bytes bytes) {
    taken_.insert(taken_.begin() + static_cast<std::ptrdiff_t>(place_of(item)), item);
    region_bytes_ += region_bytes(*catalog_[item].cost);
    pool_bytes_ = bytes - region_bytes_;
    measure();
}

void ExactPool::measure() {
    around_.assign(taken_.size() + 1, {});
    for (std::size_t i = 0; i < taken_.size(); ++i) {
        const CompiledTrace& trace = replay_.trace(taken_[i]);
        around_[i + 1].kept = around_[i].kept + trace.kept * catalog_[taken_[i]].cost->slots;
        around_[i + 1].peak = larger(around_[i].peak, peak_at(around_[i], taken_[i]));
        around_[i + 1].workspaces = larger(around_[i].workspaces, trace.workspaces);
    }
    for (std::size_t i = taken_.size(); i-- > 0;) {
        around_[i].peak_from = larger(around_[i + 1].peak_from, peak_at(around_[i], taken_[i]));
    }
}

}  // namespace graphplan
