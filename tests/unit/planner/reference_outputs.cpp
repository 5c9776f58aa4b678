#include <algorithm>

#include "reference_planner.hpp"

namespace graphplan::testing {
namespace {

Bytes whole(Bytes bytes, Bytes unit) { return (bytes + unit - 1) / unit * unit; }

Bytes slot_need(const Costs& costs, const BucketCost& bucket) {
    Bytes need = 0;
    if (bucket.trace) {
        for (const std::size_t event : reference_outputs(costs.traces[*bucket.trace]))
            need += whole(costs.traces[*bucket.trace][event].bytes, 512);
    }
    return need > 0 ? need : whole(bucket.kept_bytes, 512);
}

}  // namespace

std::set<std::size_t> reference_outputs(const EventTrace& trace) {
    std::set<std::size_t> tagged, left;
    for (std::size_t i = 0; i < trace.size(); ++i) {
        if (!trace[i].allocates) continue;
        if (trace[i].tag == EventTag::output) tagged.insert(i);
        bool freed = trace[i].tag == EventTag::workspace;
        for (std::size_t later = i + 1; later < trace.size() && !freed; ++later) {
            if (trace[later].id != trace[i].id) continue;
            freed = !trace[later].allocates;
            break;
        }
        if (!freed) left.insert(i);
    }
    return tagged.empty() ? left : tagged;
}

std::vector<OutputBuffer> reference_buffers(const Costs& costs, const std::vector<Place>& taken,
                                            std::size_t pool) {
    std::vector<OutputBuffer> buffers;
    for (std::size_t i = 0; i < costs.pools[pool].buckets.size(); ++i) {
        const BucketCost& bucket = costs.pools[pool].buckets[i];
        if (std::find(taken.begin(), taken.end(), Place{pool, i}) == taken.end() || bucket.region) continue;
        auto found = std::find_if(buffers.begin(), buffers.end(), [&](const OutputBuffer& buffer) {
            return buffer.walk == bucket.id.walk && buffer.key == bucket.id.key;
        });
        if (found == buffers.end())
            found = buffers.insert(buffers.end(), {bucket.id.walk, bucket.id.key, 1, 0, 0});
        found->slots = std::max(found->slots, bucket.slots);
        found->slot_bytes = std::max(found->slot_bytes, slot_need(costs, bucket));
        found->bytes = whole(found->slots * found->slot_bytes, kSegment);
    }
    std::erase_if(buffers, [](const OutputBuffer& buffer) { return buffer.slot_bytes == 0; });
    return buffers;
}

}  // namespace graphplan::testing
