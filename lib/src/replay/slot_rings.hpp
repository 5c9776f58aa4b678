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

    struct Turn {
        std::int64_t slot = 0;
        std::size_t number = 0;  ///< no two turns have the same, and none has 0
    };
    /// The slot of the bucket whose turn it is; where the bucket has fewer slots than that, its first free
    /// one. @throws Error invalid_argument where it is still taken, of whichever bucket that shares it
    Turn take(std::size_t bucket);
    bool holds(std::size_t bucket, const Turn& turn) const noexcept;
    /// False, and nothing, where the turn was over before: the slot may be another's by now.
    bool give_back(std::size_t bucket, const Turn& turn) noexcept;

  private:
    struct Holder {
        const CapturedSlot* slot = nullptr;  ///< null where it is free
        std::size_t number = 0;              ///< of its turn
    };
    struct Ring {
        std::size_t next = 0;
        std::vector<Holder> holders;  ///< of each slot
    };
    static std::size_t next_of(const Ring& ring, std::size_t slots) noexcept;

    const std::vector<CapturedBucket>& captured_;
    std::vector<Ring> rings_;
    std::vector<std::size_t> ring_of_;  ///< for each bucket
    std::size_t turns_ = 0;
};

}  // namespace graphplan::replay
