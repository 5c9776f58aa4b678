// Documents of every version that was ever written are read for ever.
#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

TEST_CASE("the examples of 1.0 are read, and written again byte by byte") {
    CHECK(to_json(parse_costs(example("costs-1.0"), strict())) == example("costs-1.0").text);
    CHECK(to_json(parse_plan(example("plan-1.0"), strict())) == example("plan-1.0").text);
}

TEST_CASE("the examples of 1.1 are read, and written again byte by byte") {
    CHECK(to_json(parse_plan(example("plan-1.1"), strict())) == example("plan-1.1").text);
}

TEST_CASE("the examples of 1.2 are read, and written again byte by byte") {
    CHECK(to_json(parse_plan(example("plan-1.2"), strict())) == example("plan-1.2").text);
}

TEST_CASE("the examples of 1.0 that are only read") {
    CHECK(parse_model(example("model-1.0"), strict()).nodes.size() == 2);
    CHECK(parse_buckets(example("buckets-1.0"), strict()).captures.size() == 4);
    CHECK(parse_trace(example("trace-1.0"), strict()).captures.size() == 2);
    CHECK(parse_traffic(example("traffic-1.0"), strict()).steps.size() == 2);
}

TEST_CASE("a costs file by hand needs the required fields only") {
    const Costs costs = parse_costs(example("costs-minimal-1.0"), strict());
    REQUIRE(costs.pools.size() == 1);
    REQUIRE(costs.pools[0].buckets.size() == 3);
    const BucketCost& bucket = costs.pools[0].buckets[0];
    CHECK(bucket.id == BucketKey{"decode", std::nullopt, 8, 8});
    CHECK(bucket.graph_bytes == 8388608);
    CHECK(bucket.slots == 1);
    CHECK(bucket.outside_bytes == 0);
    CHECK_FALSE(bucket.trace);
    CHECK_FALSE(costs.pools[0].buckets[1].graph_bytes);
    CHECK(costs.pools[0].buckets[2].graph_bytes == 0);
    CHECK(costs.one_off_bytes == 0);
    CHECK_FALSE(costs.free_bytes);
    CHECK(costs.allocator == AllocatorOptions{});
}

TEST_CASE("every example says what it is") {
    for (const std::string& kind : schema_kinds()) {
        CAPTURE(kind);
        CHECK(schema_of(example(kind + "-1.0")) == "graphplan." + kind);
    }
}
