#include "planner/segments_model.hpp"

#include <algorithm>

#include "planner/checked.hpp"

namespace graphplan {

SegmentsModel::SegmentsModel(const Catalog& catalog, const Reuse& reuse)
    : catalog_(catalog),
      buffers_(catalog),
      scratch_(catalog.pool_count()),
      kept_and_outside_(catalog.pool_count()),
      unused_(catalog.walks().size()) {
    if (!reuse.same_process) return;
    // No walk reuses more than its graphs take, nor all walks more than all graphs: with these bounds no
    // difference below can wrap, and none changes.
    for (const Item& item : catalog.items()) unused_[item.walk] += item.outside;
    Bytes all = 0;
    for (std::size_t walk = 0; walk < unused_.size(); ++walk) {
        unused_[walk] = std::min(unused_[walk], catalog.walks()[walk].held);
        all += unused_[walk];
    }
    reusable_ = std::min(all, std::max<Bytes>(reuse.bound.value_or(kMaxBytes), 0));
}

Bytes SegmentsModel::reused(const Item& item) const noexcept {
    return std::min({unused_[item.walk], reusable_, item.outside});
}

Bytes SegmentsModel::cost(ItemIndex index) const noexcept {
    const Item& item = catalog_[index];
    return item.kept + buffers_.growth(index) + std::max<Bytes>(item.scratch - scratch_[item.pool], 0) +
           item.outside - reused(item);
}

Bytes SegmentsModel::take(ItemIndex index) noexcept {
    const Item& item = catalog_[index];
    const Bytes paid = cost(index);
    const Bytes reuse = reused(item);
    buffers_.take(index);
    unused_[item.walk] -= reuse;
    reusable_ -= reuse;
    scratch_[item.pool] = std::max(scratch_[item.pool], item.scratch);
    kept_and_outside_[item.pool].predicted += item.kept;
    kept_and_outside_[item.pool].outside += item.outside;
    return paid;
}

PoolFigures SegmentsModel::figures(std::uint32_t pool) const noexcept {
    return {kept_and_outside_[pool].predicted + buffers_.of_pool(pool) + scratch_[pool],
            kept_and_outside_[pool].outside};
}

}  // namespace graphplan
