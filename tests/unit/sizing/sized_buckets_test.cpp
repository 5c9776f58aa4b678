#include "sizing/sized_buckets.hpp"

#include "catch.hpp"

using namespace graphplan;

namespace {

BucketSpec spec(std::string pool, std::string walk, std::int64_t bs, bool region = false, Bytes inputs = 0) {
    BucketSpec bucket;
    bucket.pool = std::move(pool);
    bucket.id = {std::move(walk), std::nullopt, bs, bs};
    bucket.is_region = region;
    bucket.input_bytes = inputs;
    bucket.slots = 2;
    return bucket;
}

ThrownAway thrown(Bytes pool) {
    ThrownAway result;
    result.pool_bytes = pool;
    result.outside_bytes = 500;
    result.nodes = 7;
    result.trace = {{true, EventTag::none, 1, pool}};
    return result;
}

Costs written(const SizedBuckets& buckets) {
    Costs costs;
    buckets.write_to(costs);
    return costs;
}

}  // namespace

TEST_CASE("a walk's graph is its pool, its kept bytes are its outputs") {
    const BucketSpec bucket = spec("llm", "decode", 8, false, 4096);
    SizedBuckets buckets;
    SizedBuckets::take(buckets.add(bucket, {10, 300, {}}), thrown(2 * kMiB));
    const BucketCost cost = written(buckets).pools.at(0).buckets.at(0);
    CHECK(cost.graph_bytes == 2 * kMiB);
    CHECK(cost.kept_bytes == 300);
    CHECK(cost.peak_bytes == 10);
    CHECK(cost.outside_bytes == 500);
    CHECK(cost.nodes == 7);
    CHECK(cost.slots == 2);
    CHECK_FALSE(cost.region);
    CHECK(cost.sized_by == SizedBy::capture);
}

TEST_CASE("a region keeps its inputs too, outside the pool, and its graph is both") {
    const BucketSpec bucket = spec("vision", "vit", 4, true, 4096);
    SizedBuckets buckets;
    SizedBuckets::take(buckets.add(bucket, {10, 300, {}}), thrown(2 * kMiB));
    const BucketCost cost = written(buckets).pools.at(0).buckets.at(0);
    CHECK(cost.kept_bytes == 4396);
    CHECK(cost.graph_bytes == 2 * kMiB + 4396);
    CHECK(cost.region == "vit");
    CHECK(SizedBuckets::as_lender(buckets.all()[0]).scratch_bytes() == 2 * kMiB);
}

TEST_CASE("a graph never keeps more than it holds") {
    const BucketSpec bucket = spec("llm", "decode", 8);
    SizedBuckets buckets;
    SizedBuckets::take(buckets.add(bucket, {10, 9 * kMiB, {}}), thrown(2 * kMiB));
    CHECK(buckets.all()[0].cost.kept_bytes == 2 * kMiB);
    CHECK(SizedBuckets::as_lender(buckets.all()[0]).scratch_bytes() == 0);
}

TEST_CASE("a lent bucket takes the lender's scratch and executable memory") {
    const BucketSpec large = spec("llm", "decode", 8);
    const BucketSpec small = spec("llm", "decode", 4);
    SizedBuckets buckets;
    SizedBucket& lender = buckets.add(large, {10, 300, {}});
    SizedBuckets::take(lender, thrown(2 * kMiB));
    buckets.walk_of(large).lending.add(SizedBuckets::as_lender(lender));
    SizedBucket& lent = buckets.add(small, {9, 100, {}});
    SizedBuckets::lend(lent, buckets.walk_of(small), {{true, EventTag::none, 5, 9}});
    CHECK(lent.lent());
    CHECK(lent.cost.graph_bytes == 2 * kMiB - 300 + 100);
    CHECK(lent.cost.outside_bytes == 500);
    CHECK(lent.cost.nodes == 7);

    SECTION("its eager trace stands in the costs until its own capture's does") {
        Costs costs = written(buckets);
        REQUIRE(costs.traces.size() == 2);
        CHECK(costs.traces[*costs.pools[0].buckets[1].trace].front().id == 5);
        SizedBuckets::take(lent, thrown(kMiB));
        costs = written(buckets);
        CHECK(costs.traces[*costs.pools[0].buckets[1].trace].front().id == 1);
        CHECK_FALSE(lent.lent());
    }
    SECTION("a capture of its own that fails takes its graph away") {
        ThrownAway failed;
        failed.failure = Failure{Failure::Kind::capture, "refused"};
        SizedBuckets::take(lent, failed);
        const BucketCost cost = written(buckets).pools[0].buckets[1];
        CHECK_FALSE(cost.graph_bytes);
        CHECK_FALSE(cost.nodes);
        CHECK_FALSE(cost.trace);
        CHECK(cost.outside_bytes == 0);
        CHECK(cost.kept_bytes == 100);
        CHECK(cost.peak_bytes == 9);
        CHECK(cost.failure->reason == "refused");
        CHECK(written(buckets).traces.size() == 1);
    }
}

TEST_CASE("a walk is its pool, name and key") {
    SizedBuckets buckets;
    BucketSpec bucket = spec("a", "decode", 8);
    SizedWalk& walk = buckets.walk_of(bucket);
    CHECK(walk.label() == "a: decode");
    CHECK(&buckets.walk_of(bucket) == &walk);
    bucket.id.bs = 4;
    CHECK(&buckets.walk_of(bucket) == &walk);
    bucket.id.key = "cfg";
    CHECK(&buckets.walk_of(bucket) != &walk);
    CHECK(buckets.walk_of(bucket).label() == "a: decode[cfg]");
    bucket.id.key.reset();
    bucket.pool = "b";
    CHECK(&buckets.walk_of(bucket) != &walk);
    bucket.pool = "a";
    bucket.id.walk = "prefill";
    CHECK(&buckets.walk_of(bucket) != &walk);
}

TEST_CASE("pools are written in the order in which they were sized, a walk only once it is measured") {
    const BucketSpec b = spec("b", "decode", 8);
    const BucketSpec a = spec("a", "decode", 8);
    const BucketSpec c = spec("b", "decode", 4);
    SizedBuckets buckets;
    for (const BucketSpec* bucket : {&b, &a, &c}) {
        SizedBuckets::leave_out(buckets.add(*bucket, {1, 2, {}}), {Failure::Kind::denied, "denied"});
        buckets.walk_of(*bucket);
    }
    const Costs costs = written(buckets);
    REQUIRE(costs.pools.size() == 2);
    CHECK(costs.pools[0].name == "b");
    CHECK(costs.pools[0].buckets.size() == 2);
    CHECK(costs.pools[1].name == "a");
    CHECK(costs.walks.empty());
    CHECK_FALSE(costs.pools[1].buckets[0].sized_by);
    CHECK(costs.pools[1].buckets[0].failure->kind == Failure::Kind::denied);
}
