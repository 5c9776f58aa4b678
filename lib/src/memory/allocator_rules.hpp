// The sizes that torch's caching allocator works with, given its options.
#pragma once

#include <limits>

#include "graphplan/base.hpp"

namespace graphplan {

/// Options in the units that the allocator compares, and the sizes that follow from them.
struct AllocatorRules {
    static constexpr Bytes kMinBlock = 512;            ///< every block is a multiple of it
    static constexpr Bytes kSmallLimit = kMiB;         ///< the largest request that small segments serve
    static constexpr Bytes kSmallUnit = 2 * kMiB;      ///< a small segment, and what a small range grows by
    static constexpr Bytes kLargeUnit = 20 * kMiB;     ///< a large segment, and what a large range grows by
    static constexpr Bytes kOwnSegment = 10 * kMiB;    ///< from here on a request gets a segment of its size
    static constexpr Bytes kLargest = Bytes{1} << 61;  ///< no request beyond it can ever be served

    /// What max_split_size_mb may be: torch demands more than a large segment's 20 MiB.
    static constexpr std::int64_t kLeastSplitMb = kLargeUnit / kMiB + 1;
    static constexpr std::int64_t kMostSplitMb = std::int64_t{1} << 40;

    bool expandable = false;
    Bytes max_split = std::numeric_limits<Bytes>::max();
    Bytes divisions = 0;

    /// @throws Error invalid_argument for options that torch refuses
    explicit AllocatorRules(const AllocatorOptions& options);

    /// The block that a request of more than 0 bytes needs.
    Bytes block_size(Bytes requested) const noexcept;
    /// The segment that a block needs where no free block fits and segments do not expand.
    static Bytes segment_size(Bytes block) noexcept;
    /// Whether what a free block has beyond `block` becomes a block of its own.
    bool splits(Bytes free_block, Bytes block, bool small) const noexcept;
    /// Whether the best fit may serve `block`: oversize blocks serve only requests near their size.
    bool serves(Bytes free_block, Bytes block) const noexcept;
};

}  // namespace graphplan
