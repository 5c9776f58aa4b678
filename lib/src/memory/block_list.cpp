#include "memory/block_list.hpp"

#include <algorithm>

namespace graphplan {

// What the source refuses takes no position.
SegmentPlace AllocatorState::new_segment(Bytes bytes) {
    if (ties == Ties::address) return {source->allocate(bytes), 0};
    PretendedSegments after = arrivals;
    const Address position = after.allocate(bytes);
    const Address real = source->allocate(bytes);
    arrivals = after;
    return {position, real - position};
}

SegmentPlace AllocatorState::new_range() {
    if (ties == Ties::address) return {source->reserve(), 0};
    PretendedSegments after = arrivals;
    const Address position = after.reserve();
    const Address real = source->reserve();
    arrivals = after;
    return {position, real - position};
}

BlockIndex BlockList::take(AllocatorState& state, Bytes size) {
    BlockTable& blocks = state.blocks;
    BlockIndex block = find(state, size);
    if (block != kNoBlock) {
        free_.erase(blocks, block);
    } else {
        block = state.rules.expandable ? expand(state, size) : new_segment(state, size);
    }
    if (state.rules.splits(blocks[block].size, size, small_)) {
        free_.insert(blocks, blocks.split(block, size));
    }
    blocks[block].state = BlockState::used;
    return block;
}

BlockIndex BlockList::find(const AllocatorState& state, Bytes size) const noexcept {
    const BlockTable& blocks = state.blocks;
    BlockIndex block = free_.best_fit(blocks, size);
    if (block == kNoBlock) return kNoBlock;
    // A block at the growing end of a range counts with all that it can grow to, so that it comes last.
    const auto reach = [&](BlockIndex index) {
        const BlockIndex next = blocks[index].next;
        const bool grows = next != kNoBlock && blocks[next].state == BlockState::unmapped;
        return blocks[index].size + (grows ? blocks[next].size : 0);
    };
    if (state.rules.expandable) {
        for (BlockIndex next = free_.after(blocks, block); next != kNoBlock && reach(next) < reach(block);
             next = free_.after(blocks, block)) {
            block = next;
        }
    }
    return state.rules.serves(blocks[block].size, size) ? block : kNoBlock;
}

BlockIndex BlockList::new_segment(AllocatorState& state, Bytes size) {
    const Bytes segment = AllocatorRules::segment_size(size);
    const SegmentPlace place = state.new_segment(segment);
    bytes_ += segment;
    Block block;
    block.position = place.position;
    block.shift = place.shift;
    block.size = segment;
    block.list = name_;
    block.state = BlockState::free;
    return state.blocks.create(block);
}

void BlockList::give(AllocatorState& state, BlockIndex block) noexcept {
    state.blocks[block].state = BlockState::free;
    free_.insert(state.blocks, merge(state, block));
}

void BlockList::leave_set(AllocatorState& state, BlockIndex block) noexcept {
    if (state.blocks[block].state == BlockState::free) {
        free_.erase(state.blocks, block);
    } else {
        std::erase(unmapped_, block);
    }
}

BlockIndex BlockList::merge(AllocatorState& state, BlockIndex block) noexcept {
    BlockTable& blocks = state.blocks;
    const BlockState kind = blocks[block].state;
    const BlockIndex previous = blocks[block].previous;
    if (previous != kNoBlock && blocks[previous].state == kind) {
        leave_set(state, previous);
        blocks.join_next(previous);
        block = previous;
    }
    const BlockIndex next = blocks[block].next;
    if (next != kNoBlock && blocks[next].state == kind) {
        leave_set(state, next);
        blocks.join_next(block);
    }
    return block;
}

void BlockList::release_unused(AllocatorState& state) noexcept {
    BlockTable& blocks = state.blocks;
    for (BlockIndex index = 0; index < blocks.end(); ++index) {
        const Block block = blocks[index];
        if (block.list != name_ || block.state != BlockState::free) continue;
        if (block.origin != 0) {
            unmap(state, index);
        } else if (block.previous == kNoBlock && block.next == kNoBlock) {
            free_.erase(blocks, index);
            state.source->release(real_address(block), block.size);
            bytes_ -= block.size;
            blocks.destroy(index);
        }
    }
}

void BlockList::release_all(AllocatorState& state) noexcept {
    for (BlockIndex index = 0; index < state.blocks.end(); ++index) {
        const Block& block = state.blocks[index];
        if (block.list == name_ && block.state == BlockState::used) give(state, index);
    }
    release_unused(state);
}

}  // namespace graphplan
