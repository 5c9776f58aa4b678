#include "planner/segments_search.hpp"

#include <chrono>
#include <random>

#include "catch.hpp"
#include "planner/checked.hpp"
#include "reference_planner.hpp"

namespace graphplan {
namespace {

/// The cheapest of `left` by looking at each.
std::optional<Choice> cheapest(const Catalog& catalog, SegmentsModel& model, std::vector<ItemIndex>& left) {
    std::optional<std::size_t> best;
    const auto order = [&](ItemIndex item) {
        return std::tuple(model.cost(item), catalog.name_rank(catalog[item].pool), item);
    };
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (!best || order(left[i]) < order(left[*best])) best = i;
    }
    if (!best) return std::nullopt;
    const ItemIndex item = left[*best];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(*best));
    return Choice{item, model.take(item)};
}

}  // namespace

TEST_CASE("the heaps give what looking at every bucket gives, also where buckets are offered late") {
    for (std::uint32_t seed = 5000; seed < 7000; ++seed) {
        CAPTURE(seed);
        const Costs costs = testing::random_costs(seed, false);
        const Catalog catalog(costs, seed % 2 == 0 ? Outputs::per_graph : Outputs::shared);
        std::mt19937 random(seed);
        const Reuse reuse{random() % 3 != 0, static_cast<Bytes>(random() % 20) * kMiB};
        SegmentsSearch search(catalog, reuse);
        SegmentsModel model(catalog, reuse);
        std::vector<ItemIndex> left;
        std::vector<ItemIndex> later;
        for (ItemIndex item = 0; item < catalog.items().size(); ++item) {
            if (!catalog[item].cost->graph_bytes) continue;
            (random() % 3 == 0 ? later : left).push_back(item);
        }
        for (std::vector<ItemIndex>* batch : {&left, &later}) {
            for (const ItemIndex item : *batch) search.offer(item);
            while (const auto expected = cheapest(catalog, model, *batch)) {
                const auto choice = search.take_cheapest(kMaxBytes);
                REQUIRE(choice);
                REQUIRE(choice->item == expected->item);
                REQUIRE(choice->cost == expected->cost);
            }
            REQUIRE_FALSE(search.take_cheapest(kMaxBytes));
        }
    }
}

TEST_CASE("nothing is taken that costs more than the room") {
    const Costs costs = testing::costs_of({{"p", {testing::bucket("d", 1, 0, 5, 0)}}}, 0);
    const Catalog catalog(costs);
    SegmentsSearch search(catalog, {});
    search.offer(0);
    CHECK_FALSE(search.take_cheapest(4));
    CHECK(search.cost(0) == 5);
    CHECK(search.take_cheapest(5)->cost == 5);
    CHECK(search.figures(0).predicted == 5);
}

TEST_CASE("a walk's larger buffer makes its other buckets cheaper, and heaps follow at once") {
    const auto kept = [](std::int64_t size, Bytes bytes, std::int64_t slots) {
        BucketCost cost = testing::bucket("decode", size, 0, bytes, bytes);
        cost.slots = slots;
        return cost;
    };
    const Costs costs = testing::costs_of(
        {{"p", {kept(8, 8 * kMiB, 1), kept(7, 7 * kMiB, 1), kept(2, 2 * kMiB, 1), kept(1, kMiB, 3)}},
         {"q", {kept(1, 5 * kMiB, 1)}}},
        0);
    const Catalog catalog(costs, Outputs::shared);
    SegmentsSearch search(catalog, {});
    for (ItemIndex item = 0; item < 5; ++item) search.offer(item);
    const auto next = [&] {
        const auto choice = search.take_cheapest(kMaxBytes);
        return std::pair(choice->item, choice->cost);
    };
    CHECK(next() == std::pair(ItemIndex{2}, 2 * kMiB));
    CHECK(next() == std::pair(ItemIndex{3}, 4 * kMiB));
    CHECK(next() == std::pair(ItemIndex{4}, 6 * kMiB));
    CHECK(next() == std::pair(ItemIndex{1}, 16 * kMiB));
    CHECK(next() == std::pair(ItemIndex{0}, 2 * kMiB));
    CHECK(search.figures(0).predicted == 24 * kMiB);
}

TEST_CASE("100,000 buckets of one walk are planned in far less than their square") {
    for (const bool ascending : {false, true}) {
        Costs costs = testing::costs_of({{"p", {}}}, 0);
        for (std::int64_t size = 1; size <= 100'000; ++size) {
            const std::int64_t at = ascending ? size : 100'001 - size;
            BucketCost cost = testing::bucket("decode", at, 0, at * 4 * kMiB, at * 3 * kMiB);
            cost.slots = 1 + at % 2;
            cost.outside_bytes = kMiB + at;
            costs.pools[0].buckets.push_back(cost);
        }
        costs.walks.push_back(testing::held_by("p", "decode", kGiB));
        const Catalog catalog(costs, Outputs::shared);
        const auto start = std::chrono::steady_clock::now();
        SegmentsSearch search(catalog, {true, std::nullopt});
        for (ItemIndex item = 0; item < catalog.items().size(); ++item) search.offer(item);
        std::size_t taken = 0;
        while (search.take_cheapest(kMaxBytes)) ++taken;
        CHECK(taken == 100'000);
        CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
    }
}

}  // namespace graphplan
