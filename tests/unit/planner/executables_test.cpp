#include "planner/executables.hpp"

#include "catch.hpp"
#include "reference_planner.hpp"

namespace graphplan {
namespace {

Costs two_buckets(std::optional<std::int64_t> nodes) {
    BucketCost large = testing::bucket("decode", 2, 0, 0, 0);
    BucketCost small = testing::bucket("decode", 1, 0, 0, 0);
    large.nodes = small.nodes = nodes;
    large.outside_bytes = small.outside_bytes = 700;
    small.slots = 2;
    Costs costs = testing::costs_of({{"llm", {large, small}}}, 0);
    WalkCosts walk = testing::held_by("llm", "decode", 3 * kMiB);
    walk.nodes = 100;
    walk.bytes_per_node = 1000.0;
    walk.copies = 2;
    walk.curve_bytes = {0, 0, 2 * kMiB};
    costs.walks.push_back(walk);
    return costs;
}

}  // namespace

TEST_CASE("the curve says what the graphs' nodes take, in copies of the measured graph") {
    const Costs costs = two_buckets(50);
    const Catalog catalog(costs);
    Executables executables(catalog, {});
    CHECK(executables.growth(0) == 0);
    executables.take(0);
    CHECK(executables.growth(1) == 2 * kMiB);
    executables.take(1);
    CHECK(executables.of_pool(0) == 2 * kMiB);
}

TEST_CASE("past the curve's end further nodes take their rate, in whole pieces") {
    const Costs costs = two_buckets(150);
    const Catalog catalog(costs);
    Executables executables(catalog, {});
    executables.take(0);
    executables.take(1);
    CHECK(executables.of_pool(0) == 2 * kMiB + 2 * kMiB);
}

TEST_CASE("graphs without nodes count as copies") {
    const Costs costs = two_buckets(std::nullopt);
    const Catalog catalog(costs);
    Executables executables(catalog, {});
    executables.take(0);
    CHECK(executables.of_pool(0) == 0);
    executables.take(1);
    CHECK(executables.of_pool(0) == 4 * kMiB);

    Costs unknown = two_buckets(std::nullopt);
    unknown.walks[0].nodes.reset();
    const Catalog graphs(unknown);
    Executables counted(graphs, {});
    counted.take(1);
    CHECK(counted.of_pool(0) == 2 * kMiB);
    counted.take(0);
    CHECK(counted.of_pool(0) == 4 * kMiB);
}

TEST_CASE("without a curve the buckets' own figures count") {
    Costs costs = two_buckets(150);
    costs.walks[0].curve_bytes.clear();
    const Catalog catalog(costs);
    Executables executables(catalog, {});
    executables.take(1);
    CHECK(executables.of_pool(0) == 1400);
    costs.walks.clear();
    const Catalog none(costs);
    CHECK(Executables(none, {}).growth(1) == 1400);
}

TEST_CASE("held memory is reused once, in the same process, within the bound") {
    const Costs costs = two_buckets(150);
    const Catalog catalog(costs);
    Executables reusing(catalog, {true, std::nullopt});
    Executables bounded(catalog, {true, kMiB});
    CHECK(reusing.growth(0) == 0);
    for (Executables* each : {&reusing, &bounded}) each->take(0);
    CHECK(reusing.growth(1) == kMiB);
    CHECK(bounded.growth(1) == 2 * kMiB);
    reusing.take(1);
    CHECK(reusing.of_pool(0) == 4 * kMiB);
}

TEST_CASE("estimates beyond any memory are errors") {
    Costs costs = two_buckets(std::int64_t{1} << 53);
    costs.walks[0].bytes_per_node = 1e9;
    const Catalog catalog(costs);
    CHECK_THROWS_AS(Executables(catalog, {}).growth(0), Error);
}

}  // namespace graphplan
