#include "sizing/throwaway.hpp"

#include "catch.hpp"
#include "fake_engine.hpp"

using namespace graphplan;

namespace {

struct Run {
    explicit Run(FakeBucket bucket, bool own = true) : engine({std::move(bucket)}) {
        engine.gpu.can.measures_process_memory = own;
        captures.emplace(engine);
    }

    ThrownAway take() {
        const auto slot = engine.prepare(engine.buckets().front(), 0);
        return captures->take(*slot, executable, graphs);
    }

    FakeEngine engine;
    std::optional<ThrowawayCaptures> captures;
    ExecutableMemory executable;
    GraphCounts graphs;
};

FakeBucket bucket(std::vector<Bytes> pool) {
    FakeBucket fake = fake_bucket("decode", 8, 0, 0);
    fake.pool = std::move(pool);
    return fake;
}

}  // namespace

TEST_CASE("a throwaway capture measures its pool and hands all back but the copies") {
    Run run(bucket({30 * kMiB, 512, 3 * kMiB}));
    const ThrownAway thrown = run.take();
    CHECK_FALSE(thrown.failure);
    CHECK(thrown.pool_bytes == 30 * kMiB + 2 * kMiB + 20 * kMiB);
    CHECK(thrown.nodes == 100);
    CHECK(thrown.trace.size() == 1);
    CHECK(run.engine.gpu.live_graphs == 0);
    CHECK(run.engine.gpu.live_executables == 9);
    CHECK(run.engine.gpu.own_bytes == 9 * kSegment);
    CHECK(run.engine.gpu.ranges.empty());
    run.executable.release();
    CHECK(run.engine.gpu.live_executables == 0);
    CHECK(run.executable.measured());
}

TEST_CASE("the first graph of a walk is copied, later ones are priced by its rate") {
    Run run(bucket({kMiB}));
    CHECK(run.take().outside_bytes == 18 * kMiB / 8);
    CHECK(run.executable.outside_bytes(100) == 18 * kMiB / 8);
    run.engine.fakes[0].nodes = 90;
    CHECK(run.take().outside_bytes == 2123366);  // 90 × 23592.96 = 2123366.4
    CHECK(run.engine.gpu.instantiated == 9);
    CHECK(run.executable.nodes() == 100);
}

TEST_CASE("a curve reaches the graphs of its walk, a sixth more of them, and the rate stands") {
    Run run(bucket({kMiB}));
    run.graphs.walk = 30;
    CHECK(run.take().outside_bytes == 18 * kMiB / 8);
    const ExecutableFigures& figures = run.executable.figures();
    CHECK(figures.copies == 35);
    CHECK(figures.curve_bytes.size() == 36);
    CHECK(figures.curve_bytes.back() == 35 * kSegment);
    CHECK(figures.held_bytes == 35 * (12 * kMiB) / 8);

    Run large(bucket({kMiB}));
    large.graphs.walk = 400;
    large.take();
    CHECK(large.executable.figures().curve_bytes.back() == 128 * kMiB);

    Run shared(bucket({kMiB}), false);
    shared.graphs.walk = 30;
    shared.take();
    CHECK(shared.executable.figures().copies == 9);
}

TEST_CASE("a graph unlike the copied one is copied once itself, and so is each after it") {
    Run run(bucket({kMiB}));
    CHECK(run.take().copied);
    CHECK_FALSE(run.executable.varies());
    run.engine.gpu.executable_bytes = [](int) { return 4 * kMiB; };
    run.engine.fakes[0].nodes = 33;
    const ThrownAway unlike = run.take();
    CHECK(unlike.outside_bytes == 4 * kMiB);
    CHECK_FALSE(unlike.copied);
    CHECK(run.executable.varies());
    run.engine.fakes[0].nodes = 100;
    CHECK(run.take().outside_bytes == 4 * kMiB);
    CHECK(run.engine.gpu.live_executables == 11);
    run.graphs.bucket = 3;  // its slots share pieces: the first opens one, the next two lie in it
    run.engine.gpu.executable_bytes = [](int number) { return number == 11 ? 4 * kMiB : 0; };
    CHECK(run.take().outside_bytes == (4 * kMiB + 2) / 3);
    CHECK(run.engine.gpu.live_executables == 14);
}

TEST_CASE("where other processes move memory, a graph unlike the copied one is priced by the rate") {
    Run run(bucket({kMiB}));
    run.engine.gpu.can.measures_process_memory = false;
    run.take();
    run.engine.fakes[0].nodes = 33;
    CHECK(run.take().outside_bytes == run.executable.outside_bytes(33));
    CHECK_FALSE(run.executable.varies());
}

TEST_CASE("a failed capture gives back its pool and is an answer") {
    Run run(bucket({30 * kMiB}));
    run.engine.fakes[0].captures = false;
    const ThrownAway thrown = run.take();
    REQUIRE(thrown.failure);
    CHECK(thrown.failure->kind == Failure::Kind::capture);
    CHECK(thrown.failure->reason == "capture refused");
    CHECK(run.engine.gpu.own_bytes == 0);
    CHECK(run.engine.gpu.instantiated == 0);
    CHECK_FALSE(run.executable.measured());
}

TEST_CASE("without any copy the graph is unsized, and the next one is tried") {
    Run run(bucket({2 * kMiB}));
    run.engine.gpu.on_instantiate = [](int) { throw Error(ErrorCode::out_of_memory, "cannot instantiate"); };
    const ThrownAway thrown = run.take();
    REQUIRE(thrown.failure);
    CHECK(thrown.failure->kind == Failure::Kind::instantiate);
    CHECK(thrown.failure->reason == "cannot instantiate");
    CHECK(run.engine.gpu.own_bytes == 0);

    run.engine.gpu.on_instantiate = [](int) {};
    CHECK_FALSE(run.take().failure);
    CHECK(run.executable.measured());
}

TEST_CASE("copies that stop halfway still measure") {
    Run run(bucket({2 * kMiB}));
    run.engine.gpu.on_instantiate = [](int n) {
        if (n == 4) throw Error(ErrorCode::out_of_memory, "full");
    };
    CHECK_FALSE(run.take().failure);
    CHECK(*run.executable.figures().bytes_per_node == (6 + 2) * kMiB / 300.0);
    CHECK(run.executable.figures().copies == 4);
}

TEST_CASE("a graph of no nodes has no executable memory and measures nothing") {
    Run run(bucket({2 * kMiB}));
    run.engine.fakes[0].nodes = 0;
    const ThrownAway thrown = run.take();
    CHECK_FALSE(thrown.failure);
    CHECK(thrown.outside_bytes == 0);
    CHECK_FALSE(run.executable.measured());
}

TEST_CASE("a walk that other processes left unsized is measured again on its next graph") {
    Run run(bucket({2 * kMiB}), false);
    run.engine.gpu.executable_bytes = [](int n) { return n < 4 ? 0 : kSegment; };
    run.engine.gpu.neighbour = [](int) { return -kMiB; };
    const ThrownAway thrown = run.take();
    REQUIRE(thrown.failure);
    CHECK(thrown.failure->kind == Failure::Kind::instantiate);
    CHECK(run.engine.gpu.live_executables == 4);

    run.engine.gpu.neighbour = [](int) { return Bytes{0}; };
    CHECK_FALSE(run.take().failure);
    CHECK(run.engine.gpu.live_executables == 4 + 9);
    CHECK(run.executable.figures().copies == 9);
    CHECK(run.executable.figures().held_bytes == 9 * (12 * kMiB) / 8);
}

TEST_CASE("the one-off is what the first capture took outside its pool and its executables") {
    Run run(bucket({30 * kMiB}));
    run.engine.gpu.first_capture_bytes = 72 * kMiB;
    run.take();
    CHECK(run.captures->one_off_bytes() == 72 * kMiB);
    run.take();
    CHECK(run.captures->one_off_bytes() == 72 * kMiB);

    SECTION("also where that capture failed") {
        Run failing(bucket({30 * kMiB}));
        failing.engine.gpu.first_capture_bytes = 72 * kMiB;
        failing.engine.fakes[0].captures = false;
        failing.take();
        failing.engine.fakes[0].captures = true;
        failing.take();
        CHECK(failing.captures->one_off_bytes() == 72 * kMiB);
    }
    SECTION("and never below nothing") {
        Run noisy(bucket({30 * kMiB}), false);
        noisy.engine.gpu.neighbour = [](int) { return -342 * kMiB; };
        noisy.take();
        CHECK(noisy.captures->one_off_bytes() == 0);
        CHECK_FALSE(noisy.captures->one_off_is_own());
    }
}

TEST_CASE("memory that the capture takes from the default pool is no one-off") {
    Run run(bucket({2 * kMiB}));
    Allocation block;
    run.engine.on_call = [&](const std::string& call) {
        if (call.rfind("capture", 0) != 0) return;
        block = run.engine.allocator().allocate(50 * kMiB);
    };
    run.take();
    REQUIRE(block.bytes == 50 * kMiB);
    CHECK(run.captures->one_off_bytes() == 0);
    run.engine.allocator().free(block);
}
