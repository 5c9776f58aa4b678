#include "graphplan/costs.hpp"

#include "catch.hpp"

using namespace graphplan;

TEST_CASE("a bucket reads as walk, key and shape") {
    CHECK(to_string(BucketKey{"decode", std::nullopt, 64, 64}) == "decode bs=64 tokens=64");
    CHECK(to_string(BucketKey{"decode", "cfg", 64, 128}) == "decode[cfg] bs=64 tokens=128");
}

TEST_CASE("buckets are ordered by walk, key, batch size and tokens") {
    const BucketKey plain{"decode", std::nullopt, 8, 8};
    CHECK(plain == BucketKey{"decode", std::nullopt, 8, 8});
    CHECK(plain < BucketKey{"decode", "cfg", 1, 1});
    CHECK(plain < BucketKey{"decode", std::nullopt, 8, 9});
    CHECK(plain < BucketKey{"prefill", std::nullopt, 1, 1});
}

TEST_CASE("failures have the words that documents use") {
    CHECK(to_string(Failure::Kind::denied) == "denied");
    CHECK(to_string(Failure::Kind::resource) == "resource");
    CHECK(to_string(Failure::Kind::capture) == "capture");
    CHECK(to_string(Failure::Kind::instantiate) == "instantiate");
}
