#include "engine/padding_rows.hpp"

#include <set>

#include "catch.hpp"

using namespace graphplan::engine;

TEST_CASE("padding rows count down from -2, stable, and slots share none") {
    PaddingRows padding;
    const auto small = padding.open(0, 0, 2);
    CHECK(small == std::vector<std::int64_t>{-2, -3});
    const auto other = padding.open(0, 1, 2);
    const auto large = padding.open(0, 0, 4);
    CHECK(large == std::vector<std::int64_t>{-2, -3, -6, -7});
    CHECK(padding.open(1, 0, 1) == std::vector<std::int64_t>{-8});
    CHECK(padding.open(0, 1, 2) == other);
    CHECK(padding.in_use() == 11);
    padding.reset(large);
    CHECK(padding.in_use() == 7);
    CHECK(padding.open(0, 0, 3) == std::vector<std::int64_t>{-2, -3, -6});
}
