#include "planner/live_blocks.hpp"

#include "catch.hpp"

namespace graphplan {

TEST_CASE("ids stand for their allocation while they are live, small or large, negative too") {
    LiveBlocks live(4);
    for (const std::int64_t id :
         {std::int64_t{0}, std::int64_t{3}, std::int64_t{4}, std::int64_t{1} << 60, std::int64_t{-1}}) {
        CAPTURE(id);
        Allocation taken;
        CHECK_FALSE(live.take(id, taken));
        CHECK(live.insert(id, {7, static_cast<Bytes>(id), 1}));
        CHECK_FALSE(live.insert(id, {8, 1, 1}));
        CHECK(live.take(id, taken));
        CHECK(taken.bytes == id);
        CHECK_FALSE(live.take(id, taken));
        CHECK(live.insert(id, {9, 2, 1}));
    }
}

}  // namespace graphplan
