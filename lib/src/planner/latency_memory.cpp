#include "planner/latency_memory.hpp"

#include <algorithm>
#include <numeric>

#include "planner/output_buffers.hpp"

namespace graphplan {

LatencyMemory::LatencyMemory(const Catalog& catalog, const Reuse& reuse)
    : catalog_(catalog), held_(catalog.walks().size()) {
    if (!reuse.same_process) return;
    // No walk reuses more than its graphs take.
    for (ItemIndex item = 0; item < catalog.items().size(); ++item) {
        if (catalog[item].cost->graph_bytes) held_[catalog[item].walk] += outside(item);
    }
    for (std::size_t walk = 0; walk < held_.size(); ++walk) {
        held_[walk] = std::min(held_[walk], catalog.walks()[walk].held / kSegment);
    }
    if (reuse.bound) reusable_ = std::min(most_reuse(), std::max<Bytes>(*reuse.bound, 0) / kSegment);
}

Units LatencyMemory::most_reuse() const noexcept {
    const Units all = std::accumulate(held_.begin(), held_.end(), Units{0});
    return std::min(all, reusable_.value_or(all));
}

Units LatencyMemory::growth(ItemIndex item, std::int64_t slots, Bytes slot_bytes) const noexcept {
    const Bytes with = std::max(slot_bytes, catalog_[item].buffer.slot_bytes);
    return (bytes_of({slots, with}) - bytes_of({slots, slot_bytes})) / kSegment;
}

Units LatencyMemory::total(const std::vector<bool>& captured) const {
    Units sum = 0;
    std::vector<Units> scratches(catalog_.pool_count()), outsides(catalog_.walks().size());
    OutputBuffers buffers(catalog_);
    for (ItemIndex item = 0; item < captured.size(); ++item) {
        if (!captured[item]) continue;
        sum += kept(item) + outside(item) + buffers.growth(item) / kSegment;
        buffers.take(item);
        outsides[catalog_[item].walk] += outside(item);
        Units& most = scratches[catalog_[item].pool];
        most = std::max(most, scratch(item));
    }
    Units reused = 0;
    for (std::size_t walk = 0; walk < outsides.size(); ++walk)
        reused += std::min(outsides[walk], held_[walk]);
    return std::accumulate(scratches.begin(), scratches.end(), sum) -
           std::min(reused, reusable_.value_or(reused));
}

}  // namespace graphplan
