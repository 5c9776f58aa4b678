// The segments model in whole segments: what sets of buckets take where figures that are no multiple of
// 2 MiB are rounded up, and held memory down.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/search.hpp"

namespace graphplan {

/// A number of 2 MiB segments.
using Units = std::int64_t;

class LatencyMemory {
  public:
    LatencyMemory(const Catalog& catalog, const Reuse& reuse);

    const Catalog& catalog() const noexcept { return catalog_; }
    Units kept(ItemIndex item) const noexcept { return catalog_[item].kept / kSegment; }
    Units outside(ItemIndex item) const noexcept { return whole(catalog_[item].outside); }
    Units scratch(ItemIndex item) const noexcept { return whole(catalog_[item].scratch); }
    /// What the item adds to its walk's buffer, if that has `slots` slots of `slot_bytes`.
    Units growth(ItemIndex item, std::int64_t slots, Bytes slot_bytes) const noexcept;
    /// What a walk's graphs may reuse, and all walks' together where that is bounded.
    Units held(std::uint32_t walk) const noexcept { return held_[walk]; }
    std::optional<Units> reusable() const noexcept { return reusable_; }
    /// No set reuses more.
    Units most_reuse() const noexcept;

    /// What a set takes: kept and outside, walks' buffers, the largest scratch of each pool, reuse taken off.
    Units total(const std::vector<bool>& captured) const;

  private:
    static Units whole(Bytes bytes) noexcept { return bytes / kSegment + (bytes % kSegment != 0); }

    const Catalog& catalog_;
    std::vector<Units> held_;
    std::optional<Units> reusable_;
};

}  // namespace graphplan
