// What a sizing run does when something fails, stops or disturbs it, and its second pass.
#include <tuple>

#include "sizing_support.hpp"

using namespace graphplan;

TEST_CASE("a failed capture lends nothing and the next ones are tried") {
    std::vector<FakeBucket> buckets = ladder({32, 16, 8, 4, 2});
    buckets[0].captures = false;
    buckets[2].captures = false;
    FakeEngine engine(buckets);
    Log log;
    SizingOptions options;
    options.log = log.callback();
    Sizing sizing(engine, options);
    const Costs costs = sizing.run();
    CHECK(captured(engine) == Names{"32", "16", "8", "4"});
    CHECK_FALSE(cost_of(costs, 32).graph_bytes);
    CHECK(cost_of(costs, 32).failure->kind == Failure::Kind::capture);
    CHECK(cost_of(costs, 32).failure->reason == "capture refused");
    CHECK(cost_of(costs, 32).sized_by == SizedBy::capture);
    CHECK(cost_of(costs, 32).peak_bytes == 32 * kMiB);
    CHECK_FALSE(cost_of(costs, 32).trace);
    CHECK(cost_of(costs, 2).graph_bytes == 32 * kMiB - 1600 + 200);
    CHECK(log.warnings("llm: decode bs=32 tokens=32: could not capture it") == 1);
    CHECK(log.warnings("2 of 5 buckets could not be captured and would run eagerly: "
                       "llm: decode bs=32 tokens=32, llm: decode bs=8 tokens=8") == 1);
}

TEST_CASE("the second pass needs a first") {
    FakeEngine engine(ladder({32}));
    CHECK_THROWS_AS(Sizing(engine, {}).capture_lent(), Error);
}

TEST_CASE("a warm-up that fails ends the run and leaves nothing behind") {
    FakeEngine engine(ladder({32, 16, 8}));
    engine.on_call = [&](const std::string& call) {
        if (call == "forward decode bs=8 tokens=8/0") throw Error(ErrorCode::out_of_memory, "no room");
    };
    Sizing sizing(engine, {});
    const std::string message = message_of(sizing, ErrorCode::out_of_memory);
    CHECK(contains(message, "llm: decode bs=8 tokens=8, slot 0"));
    CHECK(contains(message, "no room"));
    CHECK(engine.gpu.live_executables == 0);
    CHECK(engine.gpu.own_bytes == 9 * kSegment);  // the driver keeps it
    CHECK(engine.gpu.ranges.empty());
    CHECK(engine.live_slots == 0);
}

TEST_CASE("a warm-up of a later slot, or of a denied bucket, ends the run too") {
    std::vector<FakeBucket> buckets = ladder({32});
    buckets[0].spec.slots = 2;
    buckets[0].spec.denied = GENERATE(false, true);
    FakeEngine engine(buckets);
    engine.on_call = [&](const std::string& call) {
        if (call == "prepare decode bs=32 tokens=32/1") throw Error(ErrorCode::device, "launch failed");
    };
    Sizing sizing(engine, {});
    CHECK(contains(message_of(sizing, ErrorCode::device), "slot 1"));
}

TEST_CASE("a capture that poisons the device ends the run, naming the bucket and the way around") {
    FakeEngine engine(ladder({32, 16, 8}));
    engine.on_call = [&](const std::string& call) {
        if (call != "capture decode bs=16 tokens=16/0") return;
        engine.gpu.lost = true;
        throw Error(ErrorCode::device, "illegal address");
    };
    Sizing sizing(engine, {});
    const std::string message = message_of(sizing, ErrorCode::device);
    CHECK(contains(message, "llm: decode bs=16 tokens=16"));
    CHECK(contains(message, "illegal address"));
    CHECK(contains(message, "\"capture\": \"deny\""));
    CHECK(engine.gpu.live_executables == 0);
}

TEST_CASE("so does an instantiation that poisons it") {
    FakeEngine engine(ladder({32, 16}));
    engine.gpu.on_instantiate = [&](int n) {
        if (n < 3) return;
        engine.gpu.lost = true;
        throw Error(ErrorCode::device, "instantiation broke");
    };
    Sizing sizing(engine, {});
    CHECK(contains(message_of(sizing, ErrorCode::device), "llm: decode bs=32 tokens=32"));
}

TEST_CASE("a stop ends the run between buckets and leaves nothing behind") {
    FakeEngine engine(ladder({32, 16, 8}));
    std::stop_source stop;
    SizingOptions options;
    options.stop = stop.get_token();
    engine.on_call = [&](const std::string& call) {
        if (call == "prepare decode bs=16 tokens=16/0") stop.request_stop();
    };
    Sizing sizing(engine, options);
    CHECK(contains(message_of(sizing, ErrorCode::interrupted), "2 of 3"));
    CHECK(engine.count("forward decode bs=8") == 0);
    CHECK(engine.gpu.live_executables == 0);
}

TEST_CASE("lent buckets are captured without another forward") {
    FakeEngine engine(ladder({32, 16, 8, 4}));
    Sizing sizing(engine, {});
    sizing.run();
    const int forwards = engine.count("forward");
    const Costs costs = sizing.capture_lent();
    CHECK(engine.count("forward") == forwards);
    CHECK(captured(engine) == Names{"32", "16", "8", "4"});
    CHECK(cost_of(costs, 8).graph_bytes == 16 * kMiB);
    CHECK(cost_of(costs, 4).graph_bytes == 20 * kMiB);
    CHECK(cost_of(costs, 8).sized_by == SizedBy::capture);
    CHECK(cost_of(costs, 8).peak_bytes == 8 * kMiB);
    CHECK(cost_of(costs, 8).kept_bytes == 800);
    CHECK(costs.traces.size() == 4);
    CHECK(costs.traces.at(*cost_of(costs, 8).trace).front().id == 77);
    CHECK_FALSE(sizing.has_lent());
    CHECK(engine.gpu.instantiated == 9);

    SECTION("and only once") {
        sizing.capture_lent();
        CHECK(engine.count("capture") == 4);
    }
}

TEST_CASE("a lent bucket that cannot be captured or prepared loses its graph") {
    FakeEngine engine(ladder({32, 16, 8, 4, 2}));
    engine.fakes[2].captures = false;
    Sizing sizing(engine, {});
    CHECK(cost_of(sizing.run(), 8).graph_bytes);
    engine.on_call = [&](const std::string& call) {
        if (call == "prepare decode bs=4 tokens=4/0") throw Error(ErrorCode::device, "no pages");
    };
    const Costs costs = sizing.capture_lent();
    CHECK_FALSE(cost_of(costs, 8).graph_bytes);
    CHECK(cost_of(costs, 8).failure->reason == "capture refused");
    CHECK(cost_of(costs, 8).outside_bytes == 0);
    CHECK_FALSE(cost_of(costs, 4).graph_bytes);
    CHECK(cost_of(costs, 4).failure->reason == "no pages");
    CHECK(cost_of(costs, 2).graph_bytes == 20 * kMiB);
    CHECK(costs.traces.size() == 3);
    CHECK_FALSE(sizing.has_lent());
}

TEST_CASE("a stop or a poisoned device ends the second pass") {
    FakeEngine engine(ladder({32, 16, 8, 4}));
    std::stop_source stop;
    SizingOptions options;
    options.stop = stop.get_token();
    Sizing sizing(engine, options);
    sizing.run();
    SECTION("stopped") {
        stop.request_stop();
        CHECK_THROWS_AS(sizing.capture_lent(), Error);
        CHECK(engine.count("capture") == 2);
        CHECK(sizing.has_lent());
    }
    SECTION("poisoned") {
        engine.on_call = [&](const std::string& call) {
            if (call != "capture decode bs=8 tokens=8/0") return;
            engine.gpu.lost = true;
            throw Error(ErrorCode::device, "illegal address");
        };
        CHECK_THROWS_AS(sizing.capture_lent(), Error);
        CHECK(engine.count("capture") == 3);
    }
}

TEST_CASE("neighbours don't move a figure where the process's own memory is measured") {
    const auto sized = [](std::function<Bytes(int)> neighbour) {
        FakeEngine engine(ladder({32, 16, 8}));
        engine.gpu.first_capture_bytes = 72 * kMiB;
        engine.gpu.neighbour = std::move(neighbour);
        Costs costs = Sizing(engine, {}).run();
        return std::make_tuple(costs.pools[0].buckets, costs.walks[0].curve_bytes,
                               costs.walks[0].bytes_per_node, costs.one_off_bytes);
    };
    CHECK(sized([](int) { return Bytes{0}; }) ==
          sized([](int n) { return n % 3 == 0 ? 40 * kMiB : -10 * kMiB; }));
}

TEST_CASE("else they spoil counts, and no curve is written as if it were exact") {
    FakeEngine engine(ladder({32, 16, 8}));
    engine.gpu.can.measures_process_memory = false;
    engine.gpu.neighbour = [](int n) { return n == 12 ? -40 * kMiB : Bytes{0}; };
    Log log;
    SizingOptions options;
    options.log = log.callback();
    const Costs costs = Sizing(engine, options).run();
    REQUIRE(costs.walks.size() == 1);
    CHECK(costs.walks[0].bytes_per_node == 18 * kMiB / 800.0);
    CHECK(costs.walks[0].curve_bytes.empty());
    CHECK(log.warnings("llm: decode: other processes moved memory") == 1);
    CHECK(log.warnings("own memory cannot be read") == 1);
}
