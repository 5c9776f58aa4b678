#include "planner/checked.hpp"

#include "catch.hpp"

namespace graphplan {

TEST_CASE("sums and products that do not fit are nothing, or the largest number") {
    CHECK(checked_add(kMaxBytes, 0) == kMaxBytes);
    CHECK_FALSE(checked_add(kMaxBytes, 1));
    CHECK(checked_multiply(3, 4) == 12);
    CHECK_FALSE(checked_multiply(kMaxBytes, 2));
    CHECK(saturating_add(kMaxBytes, 5) == kMaxBytes);
    CHECK(saturating_add(2, 5) == 7);
    CHECK(checked_difference(3, 10, "it") == -7);
    CHECK_THROWS_AS(checked_difference(-2, kMaxBytes, "it"), Error);
}

}  // namespace graphplan
