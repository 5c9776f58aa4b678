#include <algorithm>

#include "replay_fixture.hpp"

using namespace graphplan;

namespace {

const Change* find(const Difference& difference, const std::string& what) {
    for (const Change& change : difference.changes) {
        if (change.what == what) return &change;
    }
    return nullptr;
}

}  // namespace

TEST_CASE("a plan that was made here is for here") {
    Served served;
    const Difference difference = compare(served_plan(), *served.engine, {{"model", "abc"}});
    CHECK(difference.changes.empty());
    CHECK_FALSE(difference.matters());
}

TEST_CASE("another device, driver, library or document is named with both values") {
    Served served;
    Plan plan = served_plan();
    plan.provenance.device = "NVIDIA A100";
    plan.provenance.driver = "1.2";
    plan.provenance.libraries = {{"cublas", "12"}};
    plan.provenance.input_sha256 = {{"model", "old"}, {"buckets", "same"}};
    const Difference difference =
        compare(plan, *served.engine, {{"model", "new"}, {"buckets", "same"}, {"traffic", "x"}});
    CHECK(difference.matters());
    REQUIRE(find(difference, "device"));
    CHECK(find(difference, "device")->before == "NVIDIA A100");
    CHECK(find(difference, "device")->after == "NVIDIA H200");
    REQUIRE(find(difference, "driver"));
    REQUIRE(find(difference, "cublas"));
    CHECK(find(difference, "cublas")->after.empty());
    REQUIRE(find(difference, "model_sha256"));
    CHECK(find(difference, "buckets_sha256") == nullptr);
    CHECK(difference.changes.size() == 4);
}

TEST_CASE("another allocator than the plan's is named with both options") {
    Served served;
    Plan plan = served_plan();
    plan.allocator = AllocatorOptions{};
    plan.allocator->max_split_size_mb = 64;
    const Difference difference = compare(plan, *served.engine, {});
    REQUIRE(difference.changes.size() == 1);
    CHECK(difference.changes[0].where == "allocator");
    CHECK(difference.changes[0].before == "64");
    CHECK(difference.changes[0].after == "none");
}

TEST_CASE("what a plan written by hand leaves out is not compared") {
    Served served;
    Plan plan = served_plan();
    plan.provenance = {};
    CHECK(compare(plan, *served.engine, {{"model", "abc"}}).changes.empty());
}

TEST_CASE("buckets that are gone, new or have other slots are named") {
    Served served;
    Plan plan = served_plan();
    PlannedCapture& first = plan.pools[0].captures[0];
    const BucketKey renamed = first.id;
    first.id.bs = 77;
    plan.pools[0].captures[1].slots = 9;
    const Difference difference = compare(plan, *served.engine, {});
    REQUIRE(difference.changes.size() == 3);
    CHECK(difference.changes[0].kind == Change::Kind::removed);
    CHECK(contains(difference.changes[0].where, "bs=77"));
    CHECK(difference.changes[1].what == "slots");
    CHECK(difference.changes[1].before == "9");
    CHECK(difference.changes[2].kind == Change::Kind::added);
    CHECK(difference.changes[2].where == "llm: " + to_string(renamed));
}

TEST_CASE("a region under another label is gone, and its bucket is new") {
    const bool planned = GENERATE(true, false);
    Served served;
    Plan plan = served_plan();
    PoolPlan& pool = plan.pools[0];
    const auto region =
        std::find_if(pool.captures.begin(), pool.captures.end(),
                     [](const PlannedCapture& capture) { return capture.region.has_value(); });
    REQUIRE(region != pool.captures.end());
    const std::string where = "llm: " + to_string(region->id);
    if (planned) {
        region->region = "audio";
    } else {
        EagerBucket& eager = pool.eager.emplace_back();
        eager.id = region->id;
        eager.region = "audio";
        pool.captures.erase(region);
    }
    const Difference difference = compare(plan, *served.engine, {});
    REQUIRE(difference.changes.size() == (planned ? 2 : 1));
    for (const Change& change : difference.changes) CHECK(change.where == where);
    CHECK(difference.changes.front().kind == (planned ? Change::Kind::removed : Change::Kind::added));
    CHECK(difference.changes.back().kind == Change::Kind::added);
}
