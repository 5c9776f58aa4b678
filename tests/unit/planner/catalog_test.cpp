#include "planner/catalog.hpp"

#include <set>

#include "catch.hpp"
#include "planner/checked.hpp"
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

TEST_CASE("with shared outputs a bucket needs a part of its walk's buffer, a region keeps its own") {
    BucketCost cost = bucket("decode", 4, 0, 5 * kMiB, kMiB + 1);
    cost.slots = 3;
    BucketCost region = bucket("vit", 1, 0, 5 * kMiB, 3 * kMiB);
    region.region = "vit";
    BucketCost traced = bucket("decode", 2, 0, 5 * kMiB, kMiB);
    traced.trace = 0;
    BucketCost nothing_stays = traced;
    nothing_stays.id.bs = 1;
    nothing_stays.trace = 1;
    Costs costs = costs_of(
        {{"p", {cost, region, traced, nothing_stays, bucket("decode", 8, 0, std::nullopt, kGiB)}}}, 0);
    costs.traces = {{{true, EventTag::output, 0, 700}, {true, EventTag::output, 1, 1}}, {}};
    const Catalog catalog(costs, Outputs::shared);
    CHECK(catalog.outputs() == Outputs::shared);
    CHECK(catalog[0].kept == 0);
    CHECK(catalog[0].scratch == 4 * kMiB - 1);
    CHECK(catalog[0].buffer == BufferSize{3, kMiB + 512});
    CHECK(catalog[1].kept == 2 * kSegment);
    CHECK_FALSE(catalog[1].shares_outputs());
    CHECK(catalog[2].buffer == BufferSize{1, 1024 + 512});
    CHECK(catalog[3].buffer == BufferSize{1, kMiB});
    CHECK_FALSE(catalog[4].shares_outputs());
    CHECK(catalog.walks()[catalog[0].walk].buffer == BufferSize{3, kMiB + 512});
    CHECK_FALSE(Catalog(costs)[0].shares_outputs());
}

TEST_CASE("shared outputs that no device holds name the bucket") {
    // Each fits alone; the buffer would have the slots of one and the bytes of the other.
    BucketCost many = bucket("a", 1, 0, 512, 512);
    many.slots = std::int64_t{1} << 40;
    const BucketCost large = bucket("a", 2, 0, Bytes{1} << 40, Bytes{1} << 40);
    const Costs costs = costs_of({{"p", {many, large}}}, 0);
    const auto problem = [&]() -> std::string {
        try {
            const Catalog catalog(costs, Outputs::shared);
        } catch (const Error& error) {
            return error.code() == ErrorCode::invalid_document ? error.what() : "another code";
        }
        return "it was accepted";
    };
    CHECK_THAT(problem(), ContainsSubstring("/pools/0/buckets/1: shared outputs take more"));
    const Bytes most = kMaxBytes;
    CHECK_THROWS_AS(Catalog(costs_of({{"p", {bucket("a", 1, 0, most, most)}}}, 0), Outputs::shared), Error);
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
