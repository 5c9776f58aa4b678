// Free blocks in order of (size, address).
#pragma once

#include "memory/block_table.hpp"

namespace graphplan {

/// An ordered set whose nodes are the blocks themselves: a treap. Each operation takes O(log n) steps
/// and allocates nothing.
class FreeBlocks {
  public:
    void insert(BlockTable& blocks, BlockIndex block) noexcept;
    void erase(BlockTable& blocks, BlockIndex block) noexcept;

    /// The smallest block of at least `size`, the lowest of equals, or kNoBlock.
    BlockIndex best_fit(const BlockTable& blocks, Bytes size) const noexcept;
    /// The one after `block` in order, or kNoBlock.
    BlockIndex after(const BlockTable& blocks, BlockIndex block) const noexcept;

  private:
    BlockIndex root_ = kNoBlock;
};

}  // namespace graphplan
