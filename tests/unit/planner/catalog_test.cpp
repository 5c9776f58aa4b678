#include "planner/catalog.hpp"

#include <set>

#include "catch.hpp"
#include "reference_planner.hpp"

namespace graphplan {

using testing::bucket;
using testing::costs_of;

TEST_CASE("a catalog counts a bucket's slots, segments and scratch") {
    BucketCost cost = bucket("decode", 4, 7, 5 * kMiB, kMiB);
    cost.slots = 3;
    cost.outside_bytes = 10;
    const Costs costs = costs_of({{"b", {}}, {"a", {cost, bucket("decode", 2, 11, std::nullopt, 5)}}}, 0);
    const Catalog catalog(costs);
    CHECK(catalog[0].kept == 3 * kSegment);
    CHECK(catalog[0].scratch == 4 * kMiB);
    CHECK(catalog[0].outside == 30);
    CHECK(catalog[0].pool == 1);
    CHECK(catalog.floor() == 11);
    CHECK(catalog.first(1) == 0);
    CHECK(catalog.first(2) == 2);
    CHECK(catalog.name_rank(0) == 1);
    CHECK(catalog.name(0) == "a: decode bs=4 tokens=4");
    CHECK_FALSE(catalog.has_all_traces());
}

TEST_CASE("walks are told apart by pool, name and key, whatever the names hold") {
    BucketCost plain = bucket("decode", 1, 0, 0, 0);
    BucketCost keyed = plain;
    keyed.id.key = "cfg";
    BucketCost empty_key = plain;
    empty_key.id.key = "";
    const BucketCost odd = bucket("decode/cfg", 1, 0, 0, 0);
    Costs costs = costs_of({{"p", {plain, keyed, empty_key, odd, plain}}, {"q", {plain}}}, 0);
    costs.walks.push_back(testing::held_by("p", "decode", 77));
    costs.walks.back().key = "cfg";
    costs.walks.push_back(testing::held_by("elsewhere", "decode", 5));
    const Catalog catalog(costs);
    std::set<std::uint32_t> walks;
    for (const Item& item : catalog.items()) walks.insert(item.walk);
    CHECK(walks.size() == 5);
    CHECK(catalog[0].walk == catalog[4].walk);
    CHECK(catalog.walks()[catalog[1].walk].held == 77);
    CHECK(catalog.walks()[catalog[0].walk].held == 0);
}

TEST_CASE("sums that pass 2^63 name the bucket") {
    const Bytes half = Bytes{1} << 62;
    const Costs costs = costs_of({{"p", {bucket("a", 1, 0, half, 0), bucket("a", 2, 0, half, 0)}}}, 0);
    try {
        const Catalog catalog(costs);
        FAIL("it was accepted");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::invalid_document);
        CHECK(std::string(error.what()).find("/pools/0/buckets/1") != std::string::npos);
    }
}

TEST_CASE("fields that no document may hold are refused") {
    BucketCost negative = bucket("a", 1, -1, 0, 0);
    CHECK_THROWS_AS(Catalog(costs_of({{"p", {negative}}}, 0)), Error);
    BucketCost none = bucket("a", 1, 0, 0, 0);
    none.slots = 0;
    CHECK_THROWS_AS(Catalog(costs_of({{"p", {none}}}, 0)), Error);
    BucketCost trace = bucket("a", 1, 0, 0, 0);
    trace.trace = 0;
    CHECK_THROWS_AS(Catalog(costs_of({{"p", {trace}}}, 0)), Error);
}

}  // namespace graphplan
