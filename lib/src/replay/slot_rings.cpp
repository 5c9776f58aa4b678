#include "replay/slot_rings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "replay/shared_outputs.hpp"

namespace graphplan::replay {

SlotRings::SlotRings(const std::vector<CapturedBucket>& captured, Outputs outputs) : captured_(captured) {
    for (const CapturedBucket& bucket : captured_) {
        std::size_t ring = rings_.size();
        for (std::size_t i = 0; i < ring_of_.size() && outputs == Outputs::shared; ++i) {
            if (share_outputs(*captured_[i].spec, *bucket.spec)) ring = ring_of_[i];
        }
        if (ring == rings_.size()) rings_.emplace_back();
        ring_of_.push_back(ring);
        std::vector<Holder>& holders = rings_[ring].holders;
        holders.resize(std::max(holders.size(), bucket.slots.size()));
    }
}

std::size_t SlotRings::next_of(const Ring& ring, std::size_t slots) noexcept {
    if (ring.next < slots) return ring.next;
    for (std::size_t slot = 0; slot < slots; ++slot) {
        if (ring.holders[slot].slot == nullptr) return slot;
    }
    return 0;
}

SlotRings::Turn SlotRings::take(std::size_t bucket) {
    const std::vector<CapturedSlot>& slots = captured_[bucket].slots;
    Ring& ring = rings_[ring_of_[bucket]];
    const std::size_t slot = next_of(ring, slots.size());
    if (ring.holders[slot].slot != nullptr) {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("{} is still leased: release each step before its slot comes round again",
                                quoted(ring.holders[slot].slot->label)));
    }
    ring.holders[slot] = {&slots[slot], ++turns_};
    ring.next = (slot + 1) % ring.holders.size();
    return {static_cast<std::int64_t>(slot), turns_};
}

bool SlotRings::holds(std::size_t bucket, const Turn& turn) const noexcept {
    const Holder& holder = rings_[ring_of_[bucket]].holders[static_cast<std::size_t>(turn.slot)];
    return holder.slot != nullptr && holder.number == turn.number;
}

bool SlotRings::give_back(std::size_t bucket, const Turn& turn) noexcept {
    if (!holds(bucket, turn)) return false;
    rings_[ring_of_[bucket]].holders[static_cast<std::size_t>(turn.slot)] = {};
    return true;
}

}  // namespace graphplan::replay
