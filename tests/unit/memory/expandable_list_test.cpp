#include "catch.hpp"
#include "memory/block_list.hpp"

namespace graphplan {
namespace {

AllocatorOptions expandable() {
    AllocatorOptions options;
    options.expandable_segments = true;
    return options;
}

}  // namespace

TEST_CASE("a range grows by whole units, after joining the free block at its end") {
    PretendedSegments segments;
    AllocatorState state(segments, expandable());
    BlockList list(0, false);
    const BlockIndex first = list.take(state, 15 * kMiB);
    CHECK(list.bytes() == 20 * kMiB);
    const BlockIndex second = list.take(state, 12 * kMiB);
    CHECK(list.bytes() == 40 * kMiB);
    CHECK(state.blocks[second].position == state.blocks[first].position + 15 * kMiB);
    CHECK(state.blocks[second].size == 12 * kMiB);
}

TEST_CASE("the growing end is used last") {
    PretendedSegments segments;
    AllocatorState state(segments, expandable());
    BlockList list(0, false);
    const BlockIndex first = list.take(state, 8 * kMiB);
    const Address start = state.blocks[first].position;
    list.take(state, 6 * kMiB);
    list.give(state, first);
    // 8 MiB are free at the start and 6 MiB at the growing end: the smaller one can grow.
    const BlockIndex taken = list.take(state, 5 * kMiB);
    CHECK(state.blocks[taken].position == start);
}

TEST_CASE(
    "an oversize free block at the end serves a small request after all, as it is not passed over twice") {
    AllocatorOptions options = expandable();
    options.max_split_size_mb = 30;
    PretendedSegments segments;
    AllocatorState state(segments, options);
    BlockList list(0, false);
    const BlockIndex block = list.take(state, 40 * kMiB);
    const Address address = state.blocks[block].position;
    list.give(state, block);
    const BlockIndex small = list.take(state, 2 * kMiB);
    CHECK(state.blocks[small].position == address);
    CHECK(state.blocks[small].size == 2 * kMiB);
    CHECK(list.bytes() == 40 * kMiB);
}

TEST_CASE("units that no block touches are unmapped, and the hole is filled first") {
    PretendedSegments segments;
    AllocatorState state(segments, expandable());
    BlockList list(0, false);
    const BlockIndex hole = list.take(state, 50 * kMiB);
    const BlockIndex after = list.take(state, 10 * kMiB);
    const Address start = state.blocks[hole].position;
    list.give(state, hole);
    list.release_unused(state);
    CHECK(list.bytes() == 20 * kMiB);
    const BlockIndex filled = list.take(state, 30 * kMiB);
    CHECK(state.blocks[filled].position == start);
    list.give(state, after);
    list.release_all(state);
    CHECK(list.bytes() == 0);
    CHECK(state.spare_ranges.size() == 1);
}

TEST_CASE("no request is larger than a range") {
    PretendedSegments segments;
    AllocatorState state(segments, expandable());
    BlockList list(0, false);
    CHECK_THROWS_AS(list.take(state, SegmentSource::kReservedBytes), Error);
}

}  // namespace graphplan
