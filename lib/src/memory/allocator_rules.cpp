#include "memory/allocator_rules.hpp"

#include <bit>

#include <fmt/format.h>

namespace graphplan {
namespace {

Bytes checked_max_split(const AllocatorOptions& options) {
    if (!options.max_split_size_mb) return std::numeric_limits<Bytes>::max();
    const std::int64_t mb = *options.max_split_size_mb;
    if (mb < AllocatorRules::kLeastSplitMb || mb > AllocatorRules::kMostSplitMb) {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("max_split_size_mb is {}, expected {} to {}: leave it out for no limit", mb,
                                AllocatorRules::kLeastSplitMb, AllocatorRules::kMostSplitMb));
    }
    return mb * kMiB;
}

}  // namespace

AllocatorRules::AllocatorRules(const AllocatorOptions& options)
    : expandable(options.expandable_segments),
      max_split(checked_max_split(options)),
      divisions(options.roundup_power2_divisions) {
    if (divisions < 0 || (divisions & (divisions - 1)) != 0 || divisions > kLargest) {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("roundup_power2_divisions is {}, expected 0 or a power of two", divisions));
    }
}

Bytes AllocatorRules::block_size(Bytes requested) const noexcept {
    if (divisions <= 1 || requested / kMinBlock < divisions || requested <= kMinBlock * divisions) {
        return round_up(requested, kMinBlock);
    }
    const auto power = static_cast<Bytes>(std::bit_floor(static_cast<std::uint64_t>(requested)));
    return power == requested ? requested : round_up(requested, power / divisions);
}

Bytes AllocatorRules::segment_size(Bytes block) noexcept {
    if (block <= kSmallLimit) return kSmallUnit;
    if (block < kOwnSegment) return kLargeUnit;
    return round_up(block, kSmallUnit);
}

bool AllocatorRules::splits(Bytes free_block, Bytes block, bool small) const noexcept {
    const Bytes left = free_block - block;
    if (small || expandable) return left >= kMinBlock;
    return block < max_split && left > kSmallLimit;
}

bool AllocatorRules::serves(Bytes free_block, Bytes block) const noexcept {
    if (block < max_split) return free_block < max_split;
    return free_block < block + kLargeUnit;
}

}  // namespace graphplan
