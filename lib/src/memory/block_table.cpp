#include "memory/block_table.hpp"

namespace graphplan {

BlockIndex BlockTable::create(const Block& block) {
    BlockIndex index = 0;
    if (gone_.empty()) {
        index = static_cast<BlockIndex>(blocks_.size());
        blocks_.push_back(block);
        // Room for every name, so that `destroy` never has to allocate.
        gone_.reserve(blocks_.capacity());
    } else {
        index = gone_.back();
        gone_.pop_back();
        blocks_[index] = block;
    }
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    blocks_[index].priority = random_;
    return index;
}

void BlockTable::destroy(BlockIndex index) noexcept {
    blocks_[index].state = BlockState::gone;
    gone_.push_back(index);
}

BlockIndex BlockTable::split(BlockIndex index, Bytes size) {
    Block rest = blocks_[index];
    rest.position += static_cast<Address>(size);
    rest.size -= size;
    rest.previous = index;
    const BlockIndex after = create(rest);
    Block& block = blocks_[index];
    block.size = size;
    if (block.next != kNoBlock) blocks_[block.next].previous = after;
    block.next = after;
    return after;
}

void BlockTable::join_next(BlockIndex index) noexcept {
    Block& block = blocks_[index];
    const BlockIndex joined = block.next;
    block.size += blocks_[joined].size;
    block.next = blocks_[joined].next;
    if (block.next != kNoBlock) blocks_[block.next].previous = index;
    destroy(joined);
}

}  // namespace graphplan
