#include "planner/segments_search.hpp"

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
        const Catalog catalog(costs);
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

}  // namespace graphplan
