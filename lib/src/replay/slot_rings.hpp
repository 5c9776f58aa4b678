// Which slot a lease takes: those of a bucket in turn, or those of all buckets that share outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphplan/plan.hpp"
#include "replay/captured_bucket.hpp"

namespace graphplan::replay {

/// Nothing here allocates once it is made. The buckets outlive it.
class SlotRings {
  public:
    SlotRings(const std::vector<CapturedBucket>& captured, Outputs outputs);

    /// The slot of the bucket whose turn it is; where the bucket has fewer slots than that, its first free
    /// one. @throws Error invalid_argument where it is still taken, of whichever bucket that shares it
    std::int64_t take(std::size_t bucket);
    /// Nothing where another bucket holds the slot by now.
    void give_back(std::size_t bucket, std::int64_t slot) noexcept;

  private:
    struct Ring {
        std::size_t next = 0;
        std::vector<const CapturedSlot*> holders;  ///< of each slot; null where it is free
    };
    static std::size_t next_of(const Ring& ring, std::size_t slots) noexcept;

    const std::vector<CapturedBucket>& captured_;
    std::vector<Ring> rings_;
    std::vector<std::size_t> ring_of_;  ///< for each bucket
};

}  // namespace graphplan::replay
