#include "graphplan/sizing.hpp"

#include <map>

#include "sizing_support.hpp"

using namespace graphplan;

TEST_CASE("every slot is prepared and warmed, slot 0 is captured while it is prepared") {
    std::vector<FakeBucket> buckets = ladder({8});
    buckets[0].spec.slots = 2;
    FakeEngine engine(buckets);
    Sizing sizing(engine, {});
    const Costs costs = sizing.run();
    const std::string name = "decode bs=8 tokens=8";
    CHECK(engine.calls == Names{"claim", "prepare " + name + "/0", "forward " + name + "/0",
                                "forward " + name + "/0", "capture " + name + "/0", "prepare " + name + "/1",
                                "forward " + name + "/1", "forward " + name + "/1"});
    CHECK(cost_of(costs, 8).slots == 2);
    CHECK(cost_of(costs, 8).peak_bytes == 8 * kMiB);
    CHECK(engine.live_slots == 0);
}

TEST_CASE("so many forwards warm a slot up, and the last one's peak counts") {
    FakeEngine engine(ladder({8}));
    SizingOptions options;
    options.warmup_forwards = GENERATE(1, 2, 5);
    Sizing sizing(engine, options);
    const Costs costs = sizing.run();
    CHECK(engine.count("forward") == options.warmup_forwards);
    CHECK(cost_of(costs, 8).peak_bytes == (options.warmup_forwards == 1 ? 9 : 8) * kMiB);
    options.warmup_forwards = 0;
    CHECK_THROWS_AS(Sizing(engine, options), Error);
}

TEST_CASE("the first two of a walk are captured, the rest are lent from the first") {
    FakeEngine engine(ladder({32, 16, 8, 4}));
    Sizing sizing(engine, {});
    const Costs costs = sizing.run();
    CHECK(captured(engine) == Names{"32", "16"});
    CHECK(cost_of(costs, 32).graph_bytes == 64 * kMiB);
    CHECK(cost_of(costs, 16).graph_bytes == 32 * kMiB);
    CHECK(cost_of(costs, 8).graph_bytes == 64 * kMiB - 3200 + 800);
    CHECK(cost_of(costs, 8).sized_by == SizedBy::lend);
    CHECK(cost_of(costs, 8).outside_bytes == cost_of(costs, 32).outside_bytes);
    CHECK(cost_of(costs, 8).nodes == cost_of(costs, 32).nodes);
    CHECK(cost_of(costs, 8).kept_bytes == 800);
    CHECK(sizing.has_lent());
    // its last warm-up's trace
    CHECK(costs.traces.at(*cost_of(costs, 8).trace).front() == TraceEvent{true, EventTag::none, 2, 8 * kMiB});
    CHECK(costs.traces.at(*cost_of(costs, 32).trace).front().id == 77);
}

TEST_CASE("size_by capture captures every bucket at once") {
    FakeEngine engine(ladder({32, 16, 8, 4}));
    SizingOptions options;
    options.size_by = SizedBy::capture;
    Sizing sizing(engine, options);
    const Costs costs = sizing.run();
    CHECK(captured(engine) == Names{"32", "16", "8", "4"});
    CHECK(cost_of(costs, 4).graph_bytes == 20 * kMiB);
    CHECK_FALSE(sizing.has_lent());
}

TEST_CASE("a bucket that peaks above the lender is captured and lends from then on") {
    std::vector<FakeBucket> buckets = ladder({32, 16, 8, 4});
    buckets[2].peak = 40 * kMiB;
    buckets[2].pool = {90 * kMiB};
    FakeEngine engine(buckets);
    Sizing sizing(engine, {});
    const Costs costs = sizing.run();
    CHECK(captured(engine) == Names{"32", "16", "8"});
    CHECK(cost_of(costs, 4).graph_bytes == 90 * kMiB - 800 + 400);
}

TEST_CASE("once a captured bucket took more scratch than the lender all are captured") {
    std::vector<FakeBucket> buckets = ladder({32, 16, 8, 4});
    buckets[1].pool = {80 * kMiB};
    FakeEngine engine(buckets);
    Sizing sizing(engine, {});
    sizing.run();
    CHECK(captured(engine) == Names{"32", "16", "8", "4"});
    CHECK_FALSE(sizing.has_lent());
}

TEST_CASE("walks, keys and pools lend and measure apart") {
    std::vector<FakeBucket> buckets = ladder({32, 16, 8, 32, 16, 8, 32});
    for (std::size_t i = 3; i < 6; ++i) buckets[i].spec.id.key = "cfg";
    buckets[6].spec.pool = "talker";
    FakeEngine engine(buckets);
    Sizing sizing(engine, {});
    const Costs costs = sizing.run();
    CHECK(engine.count("capture") == 5);
    REQUIRE(costs.walks.size() == 3);
    CHECK(costs.walks[0].key == std::nullopt);
    CHECK(costs.walks[1].key == "cfg");
    CHECK(costs.walks[2].pool == "talker");
    CHECK(costs.walks[0].nodes == 100);
    CHECK(costs.walks[0].copies == 9);
    CHECK(costs.walks[0].curve_bytes.size() == 10);
    CHECK(*costs.walks[0].bytes_per_node == 18 * kMiB / 800.0);
    CHECK(costs.walks[0].held_bytes == 9 * (12 * kMiB) / 8);
    CHECK(costs.pools.size() == 2);
}

TEST_CASE("denied and blocked buckets are warmed up and never captured") {
    std::vector<FakeBucket> buckets = ladder({32, 16, 8});
    buckets[0].spec.denied = true;
    buckets[0].spec.slots = 2;
    for (std::size_t i = 1; i < 3; ++i) {
        buckets[i].spec.blockers = {"kv", "rng"};
        buckets[i].spec.capture = 1;
    }
    FakeEngine engine(buckets);
    Log log;
    SizingOptions options;
    options.log = log.callback();
    Sizing sizing(engine, options);
    const Costs costs = sizing.run();
    CHECK(engine.count("capture") == 0);
    CHECK(engine.count("forward") == 8);
    CHECK(cost_of(costs, 32).peak_bytes == 32 * kMiB);
    CHECK(cost_of(costs, 32).kept_bytes == 3200);
    CHECK_FALSE(cost_of(costs, 32).graph_bytes);
    CHECK_FALSE(cost_of(costs, 32).sized_by);
    CHECK(cost_of(costs, 32).failure->kind == Failure::Kind::denied);
    CHECK(cost_of(costs, 16).failure->kind == Failure::Kind::resource);
    CHECK(contains(cost_of(costs, 16).failure->reason, "kv, rng"));
    CHECK(log.warnings("kv, rng") == 1);
    CHECK(costs.traces.empty());
    CHECK(costs.one_off_bytes == 0);
}

TEST_CASE("a device that cannot capture leaves every bucket without a graph and says so once") {
    FakeEngine engine(ladder({32, 16, 8}));
    engine.gpu.can.captures_graphs = false;
    Log log;
    SizingOptions options;
    options.log = log.callback();
    Sizing sizing(engine, options);
    const Costs costs = sizing.run();
    CHECK(engine.count("capture") == 0);
    for (const BucketCost& cost : costs.pools[0].buckets) {
        CHECK_FALSE(cost.graph_bytes);
        CHECK(cost.failure->kind == Failure::Kind::capture);
        CHECK_FALSE(cost.sized_by);
    }
    CHECK(log.warnings("cannot capture graphs") == 1);
}

TEST_CASE("a region's bucket names it, and its graph holds what it keeps outside the pool") {
    std::vector<FakeBucket> buckets = ladder({32, 16, 8});
    for (FakeBucket& bucket : buckets) {
        bucket.spec.is_region = true;
        bucket.spec.id.walk = "vit";
        bucket.spec.input_bytes = 7;
    }
    FakeEngine engine(buckets);
    Sizing sizing(engine, {});
    const Costs costs = sizing.run();
    CHECK(cost_of(costs, 32).region == "vit");
    CHECK(cost_of(costs, 32).kept_bytes == 3207);
    CHECK(cost_of(costs, 32).graph_bytes == 64 * kMiB + 3207);
    CHECK(cost_of(costs, 8).graph_bytes == 64 * kMiB + 807);
    CHECK(costs.walks.at(0).walk == "vit");
}

TEST_CASE("free memory before is read after everything is claimed, less shared weights") {
    FakeEngine engine(ladder({32, 16, 8}));
    engine.claimed_bytes = 10 * kGiB;
    engine.shared_bytes = 3 * kGiB;
    engine.gpu.first_capture_bytes = 72 * kMiB;
    Bytes at_first_forward = 0;
    engine.on_call = [&](const std::string& call) {
        if (at_first_forward == 0 && call.rfind("forward", 0) == 0) at_first_forward = engine.gpu.own_bytes;
    };
    Sizing sizing(engine, {});
    const Costs costs = sizing.run();
    CHECK(at_first_forward == 10 * kGiB);
    CHECK(costs.free_bytes_before == (64 - 10 - 3) * kGiB);
    CHECK(costs.one_off_bytes == 72 * kMiB);
    // what sizing leaves: the one-off and the copies
    CHECK(costs.free_bytes == *costs.free_bytes_before - 72 * kMiB - 9 * kSegment);
    CHECK(engine.gpu.live_executables == 9);
    sizing.release_copies();
    CHECK(engine.gpu.live_executables == 0);
}

TEST_CASE("a model whose shared weights would not fit leaves nothing free, and is named") {
    FakeEngine engine(ladder({32}));
    engine.shared_bytes = 65 * kGiB;
    Log log;
    SizingOptions options;
    options.log = log.callback();
    Sizing sizing(engine, options);
    const Costs costs = sizing.run();
    CHECK(costs.free_bytes_before == 0);
    CHECK(costs.free_bytes == 0);
    CHECK(log.warnings("1.0 GiB would be missing") == 1);
}

TEST_CASE("the copies go with the run") {
    FakeEngine engine(ladder({32}));
    {
        Sizing sizing(engine, {});
        sizing.run();
        CHECK(engine.gpu.live_executables == 9);
    }
    CHECK(engine.gpu.live_executables == 0);
}

TEST_CASE("provenance holds what the device says") {
    FakeEngine engine(ladder({32}));
    Sizing sizing(engine, {});
    const Provenance provenance = sizing.run().provenance;
    CHECK(provenance.backend == "fake");
    CHECK(provenance.device == "Fake GPU");
    CHECK(provenance.device_total_bytes == 64 * kGiB);
    CHECK(provenance.driver == "1.2");
    CHECK(provenance.libraries == std::map<std::string, std::string>{{"blas", "3.4"}});
    CHECK(provenance.tool_version.empty());
}

TEST_CASE("costs name the allocator's options") {
    FakeEngine engine(ladder({32}), {true, 64, 4});
    CHECK(Sizing(engine, {}).run().allocator == AllocatorOptions{true, 64, 4});
}

TEST_CASE("progress comes before each bucket, and no buckets are no costs") {
    FakeEngine engine(ladder({32, 16}));
    SizingOptions options;
    Names seen;
    options.progress = [&](std::size_t done, std::size_t total, const BucketSpec& next) {
        seen.push_back(std::to_string(done) + "/" + std::to_string(total) + " " + to_string(next.id));
    };
    Sizing(engine, options).run();
    CHECK(seen == Names{"0/2 decode bs=32 tokens=32", "1/2 decode bs=16 tokens=16"});

    FakeEngine none(std::vector<FakeBucket>{});
    Sizing sizing(none, {});
    CHECK(sizing.run().pools.empty());
    CHECK_THROWS_AS(sizing.run(), Error);
}

TEST_CASE("a range names each bucket, so that profilers and fault scripts find it") {
    FakeEngine engine(ladder({8}));
    Sizing(engine, {}).run();
    CHECK(engine.gpu.seen_ranges == Names{"llm: decode bs=8 tokens=8"});
    CHECK(engine.gpu.ranges.empty());
}
