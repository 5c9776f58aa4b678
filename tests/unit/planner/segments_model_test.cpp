#include "planner/segments_model.hpp"

#include "catch.hpp"
#include "planner/checked.hpp"
#include "reference_planner.hpp"

namespace graphplan {

TEST_CASE("a pool's scratch is paid once, by what each bucket needs beyond the most so far") {
    using testing::bucket;
    const Costs costs =
        testing::costs_of({{"p", {bucket("d", 4, 0, 9 * kMiB, 0), bucket("d", 2, 0, 5 * kMiB, 0)}},
                           {"q", {bucket("d", 2, 0, 5 * kMiB, 0)}}},
                          0);
    const Catalog catalog(costs);
    SegmentsModel model(catalog, {});
    CHECK(model.cost(0) == 9 * kMiB);
    CHECK(model.take(1) == 5 * kMiB);
    CHECK(model.cost(0) == 4 * kMiB);
    CHECK(model.cost(2) == 5 * kMiB);
    CHECK(model.take(0) == 4 * kMiB);
    CHECK(model.figures(0).predicted == 9 * kMiB);
    CHECK(model.figures(1).predicted == 0);
}

TEST_CASE("reuse is bounded by the walk's held memory, all walks' bound, and the graphs") {
    BucketCost cost = testing::bucket("d", 4, 0, 0, 0);
    cost.slots = 2;
    cost.outside_bytes = 100;
    BucketCost other = testing::bucket("e", 4, 0, 0, 0);
    other.slots = 2;
    other.outside_bytes = 100;
    Costs costs = testing::costs_of({{"p", {cost, other}}}, 0);
    costs.walks.push_back(testing::held_by("p", "d", 150));
    costs.walks.push_back(testing::held_by("p", "e", kMaxBytes));
    const Catalog catalog(costs);
    SegmentsModel model(catalog, {true, 180});
    CHECK(model.cost(0) == 50);
    CHECK(model.cost(1) == 20);
    CHECK(model.take(0) == 50);
    CHECK(model.cost(1) == 170);
    CHECK(SegmentsModel(catalog, {true, std::nullopt}).cost(1) == 0);
    CHECK(SegmentsModel(catalog, {false, std::nullopt}).cost(1) == 200);
}

TEST_CASE("with shared outputs a bucket adds the growth of its walk's buffer, a region keeps its own") {
    BucketCost two = testing::bucket("d", 4, 0, 9 * kMiB, 5 * kMiB);
    two.slots = 2;
    BucketCost region = testing::bucket("vit", 4, 0, 3 * kMiB, 3 * kMiB);
    region.region = "vit";
    const Costs costs =
        testing::costs_of({{"p", {two, testing::bucket("d", 2, 0, 7 * kMiB, 3 * kMiB), region}}}, 0);
    const Catalog catalog(costs, Outputs::shared);
    SegmentsModel model(catalog, {});
    CHECK(model.cost(0) == (10 + 4) * kMiB);
    CHECK(model.take(1) == (4 + 4) * kMiB);
    CHECK(model.cost(0) == (10 - 4) * kMiB);
    CHECK(model.take(0) == 6 * kMiB);
    CHECK(model.take(2) == 4 * kMiB);
    CHECK(model.figures(0).predicted == (10 + 4 + 4) * kMiB);
}

}  // namespace graphplan
