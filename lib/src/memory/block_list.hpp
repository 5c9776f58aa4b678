// One of a pool's two lists of blocks: those for small requests, or those for large ones.
#pragma once

#include <vector>

#include "graphplan/memory.hpp"
#include "memory/allocator_rules.hpp"
#include "memory/block_table.hpp"
#include "memory/free_blocks.hpp"

namespace graphplan {

/// Where a segment or a reserved range counts as lying, and the way from there to where it lies.
struct SegmentPlace {
    Address position = 0;
    Address shift = 0;
};

/// What the lists of one allocator share.
struct AllocatorState {
    AllocatorState(SegmentSource& segments, const AllocatorOptions& options, Ties deciding = Ties::address)
        : source(&segments), rules(options), ties(deciding) {}

    /// Both @throws Error out_of_memory
    SegmentPlace new_segment(Bytes bytes);
    SegmentPlace new_range();

    SegmentSource* source;
    AllocatorRules rules;
    BlockTable blocks;
    std::vector<SegmentPlace> spare_ranges;  ///< reserved, nothing mapped, no list's

  private:
    Ties ties;
    PretendedSegments arrivals;  ///< where they would lie if each new one lay below the ones before
};

class BlockList {
  public:
    BlockList(std::uint32_t name, bool small) noexcept : name_(name), small_(small) {}

    /// A block of exactly the rules' size for `size`, or larger where the rules do not split.
    /// @throws Error out_of_memory, the list as it was (or with more free memory)
    BlockIndex take(AllocatorState& state, Bytes size);
    /// Makes a used block free and joins it with its free neighbours.
    void give(AllocatorState& state, BlockIndex block) noexcept;
    /// Gives segments and mapped units back that hold no used block.
    void release_unused(AllocatorState& state) noexcept;
    /// Gives everything back, in use or not.
    void release_all(AllocatorState& state) noexcept;

    /// Bytes of its segments, or mapped in its ranges.
    Bytes bytes() const noexcept { return bytes_; }

  private:
    BlockIndex find(const AllocatorState& state, Bytes size) const noexcept;
    BlockIndex new_segment(AllocatorState& state, Bytes size);
    BlockIndex expand(AllocatorState& state, Bytes size);
    BlockIndex find_expandable(AllocatorState& state, Bytes size);
    BlockIndex map(AllocatorState& state, BlockIndex block, Bytes size);
    void unmap(AllocatorState& state, BlockIndex block) noexcept;
    BlockIndex merge(AllocatorState& state, BlockIndex block) noexcept;
    void leave_set(AllocatorState& state, BlockIndex block) noexcept;
    void add_unmapped(AllocatorState& state, BlockIndex block);
    Bytes unit() const noexcept { return small_ ? AllocatorRules::kSmallUnit : AllocatorRules::kLargeUnit; }

    std::uint32_t name_;
    bool small_;
    FreeBlocks free_;
    std::vector<BlockIndex> unmapped_;  ///< by address
    Bytes bytes_ = 0;
};

}  // namespace graphplan
