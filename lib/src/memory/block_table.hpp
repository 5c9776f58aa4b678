// The blocks of all segments in one array, so that an event allocates nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "graphplan/base.hpp"

namespace graphplan {

using BlockIndex = std::uint32_t;
inline constexpr BlockIndex kNoBlock = ~BlockIndex{0};

enum class BlockState : std::uint8_t { gone, free, used, unmapped };

/// A piece of a segment.
struct Block {
    Address position = 0;  ///< where it counts as lying: orders it among blocks of its size
    Address shift = 0;     ///< from there to where it lies in truth, modulo 2^64
    Bytes size = 0;
    BlockIndex previous = kNoBlock;  ///< its neighbours in the segment
    BlockIndex next = kNoBlock;
    BlockIndex left = kNoBlock;  ///< its children in a set of free blocks
    BlockIndex right = kNoBlock;
    std::uint32_t priority = 0;  ///< decides the shape of that set, at random
    std::uint32_t list = 0;      ///< the list that owns it
    Address origin = 0;          ///< the position of its reserved range; 0 in a plain segment
    BlockState state = BlockState::gone;
};

inline Address real_address(const Block& block) noexcept { return block.position + block.shift; }

/// Names of destroyed blocks are given out again.
class BlockTable {
  public:
    BlockIndex create(const Block& block);
    void destroy(BlockIndex index) noexcept;

    Block& operator[](BlockIndex index) noexcept { return blocks_[index]; }
    const Block& operator[](BlockIndex index) const noexcept { return blocks_[index]; }
    /// One past the largest name; some below it may be gone.
    BlockIndex end() const noexcept { return static_cast<BlockIndex>(blocks_.size()); }

    /// Splits the first `size` bytes off a block: they keep its name, the rest gets a new one, which is
    /// returned, with the same state and segment.
    BlockIndex split(BlockIndex index, Bytes size);
    /// Joins a block with the one after it, which is destroyed.
    void join_next(BlockIndex index) noexcept;

  private:
    std::vector<Block> blocks_;
    std::vector<BlockIndex> gone_;
    std::uint32_t random_ = 2463534242U;
};

}  // namespace graphplan
