#include "planner/buffer_size.hpp"

#include <algorithm>

#include "memory/allocator_rules.hpp"
#include "planner/checked.hpp"

namespace graphplan {

BufferSize larger(BufferSize a, BufferSize b) noexcept {
    return {std::max(a.slots, b.slots), std::max(a.slot_bytes, b.slot_bytes)};
}

Bytes slot_bytes_of(const EventTrace& events) {
    constexpr Bytes most = 2 * AllocatorRules::kLargest;
    const std::vector<bool> outputs = outputs_in(events);
    Bytes sum = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (!outputs[i]) continue;
        const Bytes bytes = std::clamp<Bytes>(events[i].bytes, 0, AllocatorRules::kLargest);
        sum = std::min(sum + round_up(bytes, AllocatorRules::kMinBlock), most);
    }
    return sum;
}

std::optional<Bytes> checked_bytes(BufferSize size) noexcept {
    const auto bytes = checked_multiply(size.slots, size.slot_bytes);
    if (!bytes || *bytes > AllocatorRules::kLargest) return std::nullopt;
    return round_up(*bytes, kSegment);
}

Bytes bytes_of(BufferSize size) noexcept { return round_up(size.slots * size.slot_bytes, kSegment); }

}  // namespace graphplan
