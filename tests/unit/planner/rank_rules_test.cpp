#include "planner/rank_rules.hpp"

#include "catch.hpp"
#include "reference_planner.hpp"

namespace graphplan {

TEST_CASE("Each memory model has its search") {
    BucketCost cost = testing::bucket("decode", 1, 0, 3 * kMiB, 3 * kMiB);
    cost.trace = 0;
    Costs costs = testing::costs_of({{"llm", {cost}}}, kGiB);
    costs.traces.push_back({{true, EventTag::output, 0, 600 * kKiB}});
    const Catalog catalog(costs);
    const CaptureOrder order(catalog);
    CHECK(make_search(MemoryModel::segments, catalog, {}, order)->cost(0) == 4 * kMiB);
    CHECK(make_search(MemoryModel::exact, catalog, {}, order)->cost(0) == 2 * kMiB);
}

}  // namespace graphplan
