#include "memory/free_blocks.hpp"

#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "catch.hpp"

namespace graphplan {

TEST_CASE("free blocks stand in the order of a set of (size, address)") {
    std::mt19937 random(3);
    BlockTable blocks;
    FreeBlocks free;
    std::set<std::tuple<Bytes, Address, BlockIndex>> expected;
    std::vector<BlockIndex> members;
    for (int step = 0; step < 20000; ++step) {
        if (members.empty() || random() % 5 < 3) {
            Block block;
            block.size = static_cast<Bytes>(random() % 50);
            block.position = random() % 40;
            const BlockIndex index = blocks.create(block);
            free.insert(blocks, index);
            expected.emplace(block.size, block.position, index);
            members.push_back(index);
        } else {
            const std::size_t victim = random() % members.size();
            const BlockIndex index = members[victim];
            free.erase(blocks, index);
            expected.erase({blocks[index].size, blocks[index].position, index});
            blocks.destroy(index);
            members.erase(members.begin() + static_cast<std::ptrdiff_t>(victim));
        }
        const Bytes size = static_cast<Bytes>(random() % 55);
        auto found = expected.lower_bound({size, 0, 0});
        BlockIndex block = free.best_fit(blocks, size);
        for (int i = 0; i < 3 && found != expected.end(); ++i, ++found) {
            REQUIRE(block == std::get<2>(*found));
            block = free.after(blocks, block);
        }
        if (found == expected.end()) REQUIRE(block == kNoBlock);
    }
}

}  // namespace graphplan
