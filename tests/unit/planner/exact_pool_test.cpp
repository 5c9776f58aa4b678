#include "planner/exact_pool.hpp"

#include <algorithm>
#include <random>

#include "catch.hpp"
#include "planner/checked.hpp"
#include "reference_planner.hpp"

namespace graphplan {

TEST_CASE("a pool's lower bound never passes what the allocator takes, and is worth having") {
    Bytes bounds = 0;
    Bytes replays = 0;
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        const Costs costs = testing::random_costs(seed, true);
        const Catalog catalog(costs);
        const CaptureOrder order(catalog);
        PoolReplay replay(catalog);
        std::vector<ItemIndex> items;
        for (ItemIndex item = 0; item < catalog.items().size(); ++item) {
            if (catalog[item].pool != 0 || !catalog[item].cost->graph_bytes) continue;
            replay.prepare(item);
            items.push_back(item);
        }
        std::mt19937 random(seed);
        std::shuffle(items.begin(), items.end(), random);
        ExactPool pool(catalog, replay, order);
        for (const ItemIndex item : items) {
            const Bytes bound = pool.lower_bound(item);
            const Bytes bytes = pool.with(item, kMaxBytes).value();
            REQUIRE(bound <= bytes);
            REQUIRE(pool.with(item, bytes) == bytes);
            if (bytes > 0) REQUIRE_FALSE(pool.with(item, bytes - 1));
            bounds += bound;
            replays += bytes;
            pool.take(item, bytes);
            REQUIRE(pool.bytes() == bytes);
        }
        REQUIRE(std::is_sorted(pool.taken().begin(), pool.taken().end(), order));
    }
    CHECK(bounds > replays / 2);
}

TEST_CASE("a region's kept bytes lie outside the pool, for each slot") {
    BucketCost cost = testing::bucket("vit", 1, 0, 3 * kMiB, kMiB);
    cost.region = "vit";
    cost.slots = 2;
    cost.trace = 0;
    Costs costs = testing::costs_of({{"vision", {cost}}}, 0);
    costs.traces.push_back({{true, EventTag::none, 0, 100}, {false, EventTag::none, 0, 0}});
    const Catalog catalog(costs);
    const CaptureOrder order(catalog);
    PoolReplay replay(catalog);
    replay.prepare(0);
    ExactPool pool(catalog, replay, order);
    CHECK(pool.with(0, kMaxBytes) == 2 * kMiB + 2 * kMiB);
    CHECK_FALSE(pool.with(0, kMiB));
    pool.take(0, 4 * kMiB);
    CHECK(pool.outside_pool() == 2 * kMiB);
    CHECK(pool.bytes() == 4 * kMiB);
}

}  // namespace graphplan
