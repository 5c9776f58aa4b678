#include "memory/block_list.hpp"

#include "catch.hpp"

namespace graphplan {

TEST_CASE("the smallest free block that fits is taken, the lowest of equals") {
    PretendedSegments segments(PretendedSegments::Direction::ascending);
    AllocatorState state(segments, {});
    BlockList list(0, false);
    const BlockIndex a = list.take(state, 12 * kMiB);
    const BlockIndex b = list.take(state, 16 * kMiB);
    const BlockIndex c = list.take(state, 12 * kMiB);
    CHECK(list.bytes() == 40 * kMiB);
    const Address lowest = state.blocks[a].position;
    for (const BlockIndex block : {c, b, a}) list.give(state, block);
    const BlockIndex taken = list.take(state, 11 * kMiB);
    CHECK(state.blocks[taken].position == lowest);
    CHECK(list.bytes() == 40 * kMiB);
}

TEST_CASE("a freed block joins its free neighbours, so that a whole segment can go back") {
    PretendedSegments segments;
    AllocatorState state(segments, {});
    BlockList list(0, true);
    const BlockIndex a = list.take(state, 512);
    const BlockIndex b = list.take(state, 1024);
    const BlockIndex c = list.take(state, 512);
    list.give(state, a);
    list.give(state, c);
    list.release_unused(state);
    CHECK(list.bytes() == 2 * kMiB);
    list.give(state, b);
    list.release_unused(state);
    CHECK(list.bytes() == 0);
}

TEST_CASE("a large block with up to 1 MiB to spare is handed out whole") {
    PretendedSegments segments;
    AllocatorState state(segments, {});
    BlockList list(0, false);
    const BlockIndex whole = list.take(state, 20 * kMiB - 512);
    const BlockIndex split = list.take(state, 3 * kMiB);
    CHECK(state.blocks[whole].size == 20 * kMiB);
    CHECK(state.blocks[split].size == 3 * kMiB);
}

}  // namespace graphplan
