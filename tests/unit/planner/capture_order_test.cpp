#include "planner/capture_order.hpp"

#include "catch.hpp"
#include "reference_planner.hpp"

namespace graphplan {

TEST_CASE("the largest graph is captured first, ties in sizing order") {
    using testing::bucket;
    const Costs costs = testing::costs_of({{"llm",
                                            {bucket("a", 1, 0, 5, 0), bucket("a", 2, 0, 9, 0),
                                             bucket("a", 3, 0, 5, 0), bucket("a", 4, 0, {}, 0)}}},
                                          0);
    const Catalog catalog(costs);
    const CaptureOrder order(catalog);
    CHECK(order(1, 0));
    CHECK(order(0, 2));
    CHECK_FALSE(order(2, 0));
    CHECK(order(2, 3));
    const CaptureOrder given(std::vector<std::uint32_t>{3, 2, 1, 0});
    CHECK(given(3, 0));
}

}  // namespace graphplan
