#include "memory/block_table.hpp"

#include "catch.hpp"

namespace graphplan {

TEST_CASE("a split block and its rest are neighbours, and join again") {
    BlockTable blocks;
    Block block;
    block.position = 4096;
    block.size = 3000;
    block.state = BlockState::free;
    const BlockIndex first = blocks.create(block);
    const BlockIndex third = blocks.split(first, 2000);
    const BlockIndex second = blocks.split(first, 500);
    CHECK(blocks[second].position == 4596);
    CHECK(blocks[second].size == 1500);
    CHECK(blocks[second].previous == first);
    CHECK(blocks[second].next == third);
    CHECK(blocks[third].previous == second);
    blocks.join_next(first);
    CHECK(blocks[first].size == 2000);
    CHECK(blocks[third].previous == first);
    CHECK(blocks[second].state == BlockState::gone);
}

TEST_CASE("names of destroyed blocks are given out again") {
    BlockTable blocks;
    const BlockIndex a = blocks.create({});
    const BlockIndex b = blocks.create({});
    blocks.destroy(a);
    CHECK(blocks.create({}) == a);
    CHECK(blocks.create({}) == b + 1);
}

}  // namespace graphplan
