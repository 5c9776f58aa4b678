// The part of BlockList that grows reserved ranges instead of taking segments.
#include <algorithm>

#include <fmt/format.h>

#include "memory/block_list.hpp"

namespace graphplan {
namespace {

bool is_available(const BlockTable& blocks, BlockIndex block) noexcept {
    return block != kNoBlock && blocks[block].state != BlockState::used;
}

bool has_room(const BlockTable& blocks, BlockIndex block, Bytes size) noexcept {
    Bytes room = 0;
    for (; room < size && is_available(blocks, block); block = blocks[block].next) room += blocks[block].size;
    return room >= size;
}

}  // namespace

BlockIndex BlockList::find_expandable(AllocatorState& state, Bytes size) {
    BlockTable& blocks = state.blocks;
    for (const BlockIndex unmapped : unmapped_) {
        const BlockIndex before = blocks[unmapped].previous;
        const BlockIndex first = is_available(blocks, before) ? before : unmapped;
        if (has_room(blocks, first, size)) return first;
    }
    const Bytes range = SegmentSource::kReservedBytes / unit() * unit();
    if (size > range) {
        throw Error(ErrorCode::out_of_memory,
                    fmt::format("an expandable segment spans {} at most, {} were asked for: switch "
                                "expandable_segments off",
                                format_bytes(range), format_bytes(size)));
    }
    Block block;
    block.size = range;
    block.list = name_;
    block.state = BlockState::unmapped;
    if (state.spare_ranges.empty()) state.spare_ranges.push_back(state.new_range());
    const SegmentPlace place = state.spare_ranges.back();
    state.spare_ranges.pop_back();
    block.position = block.origin = place.position;
    block.shift = place.shift;
    const BlockIndex created = blocks.create(block);
    add_unmapped(state, created);
    return created;
}

void BlockList::add_unmapped(AllocatorState& state, BlockIndex block) {
    const BlockTable& blocks = state.blocks;
    const auto place =
        std::upper_bound(unmapped_.begin(), unmapped_.end(), block,
                         [&](BlockIndex a, BlockIndex b) { return blocks[a].position < blocks[b].position; });
    unmapped_.insert(place, block);
}

BlockIndex BlockList::expand(AllocatorState& state, Bytes size) {
    BlockTable& blocks = state.blocks;
    BlockIndex block = find_expandable(state, size);
    if (blocks[block].state == BlockState::unmapped) {
        block = map(state, block, std::min(blocks[block].size, size));
    }
    while (blocks[block].size < size) {
        const BlockIndex next = blocks[block].next;
        block = map(state, next, std::min(size - blocks[block].size, blocks[next].size));
    }
    free_.erase(blocks, block);
    return block;
}

BlockIndex BlockList::map(AllocatorState& state, BlockIndex block, Bytes size) {
    BlockTable& blocks = state.blocks;
    const Bytes mapped = round_up(size, unit());
    state.source->map(real_address(blocks[block]), mapped);
    bytes_ += mapped;
    std::erase(unmapped_, block);
    if (mapped < blocks[block].size) add_unmapped(state, blocks.split(block, mapped));
    blocks[block].state = BlockState::free;
    block = merge(state, block);
    free_.insert(blocks, block);
    return block;
}

void BlockList::unmap(AllocatorState& state, BlockIndex block) noexcept {
    BlockTable& blocks = state.blocks;
    const Bytes begin = static_cast<Bytes>(blocks[block].position - blocks[block].origin);
    const Bytes first = round_up(begin, unit());
    const Bytes last = (begin + blocks[block].size) / unit() * unit();
    if (first >= last) return;
    free_.erase(blocks, block);
    if (first > begin) {
        const BlockIndex rest = blocks.split(block, first - begin);
        free_.insert(blocks, block);
        block = rest;
    }
    if (last - first < blocks[block].size) free_.insert(blocks, blocks.split(block, last - first));
    state.source->unmap(real_address(blocks[block]), last - first);
    bytes_ -= last - first;
    blocks[block].state = BlockState::unmapped;
    block = merge(state, block);
    if (blocks[block].previous == kNoBlock && blocks[block].next == kNoBlock) {
        state.spare_ranges.push_back({blocks[block].origin, blocks[block].shift});
        blocks.destroy(block);
    } else {
        add_unmapped(state, block);
    }
}

}  // namespace graphplan
