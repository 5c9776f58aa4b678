#include <vector>

#include "catch.hpp"
#include "graphplan/model.hpp"

using namespace graphplan;

TEST_CASE("a batched config has one shape for each batch size, largest first") {
    CaptureConfig config;
    config.batch_sizes = {1, 4, 2};
    config.tokens_per_request = 3;
    config.tokens_multiplier = 2;
    CHECK(shapes_of(config) == std::vector<BucketShape>{{4, 24}, {2, 12}, {1, 6}});
}

TEST_CASE("a packed config has every batch size with every length, largest first") {
    CaptureConfig config;
    config.kind = CaptureKind::packed;
    config.batch_sizes = {1, 4};
    config.token_lengths = {1024, 512};
    CHECK(shapes_of(config) == std::vector<BucketShape>{{4, 1024}, {4, 512}, {1, 1024}, {1, 512}});
}

TEST_CASE("tokens beyond 64 bits are an error") {
    CaptureConfig config;
    config.pointer = "/captures/0";
    config.batch_sizes = {std::int64_t{1} << 40};
    config.tokens_per_request = std::int64_t{1} << 40;
    CHECK_THROWS_AS(shapes_of(config), Error);
}

TEST_CASE("a packed bucket's tokens fall evenly on its rows, the remainder on the first") {
    CHECK(row_lengths({4, 16}) == std::vector<std::int64_t>{4, 4, 4, 4});
    CHECK(row_lengths({4, 18}) == std::vector<std::int64_t>{6, 4, 4, 4});
    CHECK(row_lengths({3, 2}) == std::vector<std::int64_t>{2, 0, 0});
    CHECK(row_lengths({1, 5}) == std::vector<std::int64_t>{5});
    CHECK(row_lengths({0, 5}).empty());
}
