#include "memory/free_blocks.hpp"

namespace graphplan {
namespace {

bool precedes(const BlockTable& blocks, BlockIndex a, BlockIndex b) noexcept {
    const Block& left = blocks[a];
    const Block& right = blocks[b];
    if (left.size != right.size) return left.size < right.size;
    if (left.position != right.position) return left.position < right.position;
    return a < b;
}

}  // namespace

void FreeBlocks::insert(BlockTable& blocks, BlockIndex block) noexcept {
    BlockIndex* link = &root_;
    while (*link != kNoBlock && blocks[*link].priority >= blocks[block].priority) {
        link = precedes(blocks, block, *link) ? &blocks[*link].left : &blocks[*link].right;
    }
    BlockIndex below = *link;
    *link = block;
    BlockIndex* left = &blocks[block].left;
    BlockIndex* right = &blocks[block].right;
    while (below != kNoBlock) {
        if (precedes(blocks, block, below)) {
            *right = below;
            right = &blocks[below].left;
            below = *right;
        } else {
            *left = below;
            left = &blocks[below].right;
            below = *left;
        }
    }
    *left = kNoBlock;
    *right = kNoBlock;
}

void FreeBlocks::erase(BlockTable& blocks, BlockIndex block) noexcept {
    BlockIndex* link = &root_;
    while (*link != block) {
        link = precedes(blocks, block, *link) ? &blocks[*link].left : &blocks[*link].right;
    }
    BlockIndex left = blocks[block].left;
    BlockIndex right = blocks[block].right;
    while (left != kNoBlock && right != kNoBlock) {
        if (blocks[left].priority >= blocks[right].priority) {
            *link = left;
            link = &blocks[left].right;
            left = *link;
        } else {
            *link = right;
            link = &blocks[right].left;
            right = *link;
        }
    }
    *link = left != kNoBlock ? left : right;
}

BlockIndex FreeBlocks::best_fit(const BlockTable& blocks, Bytes size) const noexcept {
    BlockIndex found = kNoBlock;
    for (BlockIndex node = root_; node != kNoBlock;) {
        if (blocks[node].size >= size) {
            found = node;
            node = blocks[node].left;
        } else {
            node = blocks[node].right;
        }
    }
    return found;
}

BlockIndex FreeBlocks::after(const BlockTable& blocks, BlockIndex block) const noexcept {
    BlockIndex found = kNoBlock;
    for (BlockIndex node = root_; node != kNoBlock;) {
        if (precedes(blocks, block, node)) {
            found = node;
            node = blocks[node].left;
        } else {
            node = blocks[node].right;
        }
    }
    return found;
}

}  // namespace graphplan
