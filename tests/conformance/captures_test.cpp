#include "bench.hpp"
#include "catch.hpp"

using namespace graphplan;
using namespace graphplan::conformance;

namespace {

void check_usable(Bench& bench) {
    bench.add(bench.stream);
    bench.device.synchronize(bench.stream.id());
    Graph graph = bench.capture(3);
    CHECK(bench.device.count_nodes(graph.id()).kernels == 3);
}

}  // namespace

TEST_CASE("captures: a graph holds the nodes that were enqueued, by type") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    CaptureGuard guard(bench.device, bench.stream);
    bench.add(bench.stream, 5);
    bench.device.fill(bench.segment, 0, kKiB, bench.stream.id());
    bench.device.copy(bench.segment + kMiB, bench.segment, kKiB, bench.stream.id());
    bench.device.copy(bench.segment + kMiB, bench.segment, kKiB, bench.stream.id());
    Graph graph = guard.finish();

    NodeCounts nodes = bench.device.count_nodes(graph.id());
    CHECK(nodes.kernels == 5);
    CHECK(nodes.fills == 1);
    CHECK(nodes.copies == 2);
    CHECK(nodes.total() == 8);
}

TEST_CASE("captures: an empty capture is a graph of no nodes") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Graph graph = bench.capture(0);
    CHECK(graph);
    CHECK(bench.device.count_nodes(graph.id()).total() == 0);
}

TEST_CASE("captures: what a capture refuses fails it, the first error is told, later captures work") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    std::uint64_t stream = bench.stream.id();
    unsigned char byte = 0;

    bench.device.begin_capture(stream);
    bench.add(bench.stream);
    Error first = error_of([&] { bench.device.synchronize(stream); });
    Error second = error_of([&] { bench.device.download(&byte, bench.segment, 1, stream); });
    Error end = error_of([&] { bench.device.end_capture(stream); });

    CHECK(first.code() == ErrorCode::device);
    CHECK(second.code() == ErrorCode::device);
    CHECK(end.code() == ErrorCode::device);
    CHECK(std::string(end.what()).find(first.what()) != std::string::npos);
    CHECK_FALSE(bench.device.poisoned());
    check_usable(bench);
}

TEST_CASE("captures: host transfers are refused") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    unsigned char byte = 0;
    bool down = GENERATE(true, false);
    {
        CaptureGuard guard(bench.device, bench.stream);
        auto transfer = [&] {
            if (down) bench.device.download(&byte, bench.segment, 1, bench.stream.id());
            if (!down) bench.device.upload(bench.segment, &byte, 1, bench.stream.id());
        };
        CHECK(error_of(transfer).code() == ErrorCode::device);
        CHECK(error_of([&] { guard.finish(); }).code() == ErrorCode::device);
    }
    check_usable(bench);
}

TEST_CASE("captures: a guard that goes without finish abandons") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    {
        CaptureGuard guard(bench.device, bench.stream);
        bench.add(bench.stream, 2);
    }
    check_usable(bench);
}

TEST_CASE("captures: a guard finishes once") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    CaptureGuard guard(bench.device, bench.stream);
    Graph graph = guard.finish();
    CHECK(error_of([&] { guard.finish(); }).code() == ErrorCode::invalid_argument);
}

TEST_CASE("captures: abandoning is harmless where nothing captures") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    bench.device.abandon_capture(bench.stream.id());
    check_usable(bench);
}

TEST_CASE("captures: begin and end come in pairs") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    std::uint64_t stream = bench.stream.id();
    CHECK(error_of([&] { bench.device.end_capture(stream); }).code() == ErrorCode::device);
    {
        CaptureGuard guard(bench.device, bench.stream);
        CHECK(error_of([&] { bench.device.begin_capture(stream); }).code() == ErrorCode::device);
    }
    check_usable(bench);
}

TEST_CASE("captures: memory can be allocated while a stream captures") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    CaptureGuard guard(bench.device, bench.stream);
    Address address = bench.device.allocate(kSegment);
    bench.device.fill(address, 0, kSegment, bench.stream.id());
    Graph graph = guard.finish();
    CHECK(bench.device.count_nodes(graph.id()).fills == 1);
    bench.device.release(address, kSegment);
}

TEST_CASE("captures: another stream runs on while one captures") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Stream other(bench.device, bench.device.create_stream());
    CaptureGuard guard(bench.device, bench.stream);
    bench.add(other, 4);
    bench.add(bench.stream, 1);
    bench.device.synchronize(other.id());
    Graph graph = guard.finish();
    CHECK(bench.device.count_nodes(graph.id()).kernels == 1);
}

TEST_CASE("captures: a stream that waits for a capturing one joins, and must be waited for") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Device& device = bench.device;
    Stream other(device, device.create_stream());
    Event fork(device, device.create_event());
    Event join(device, device.create_event());
    bool joins = GENERATE(true, false);

    device.begin_capture(bench.stream.id());
    bench.add(bench.stream);
    device.record(fork.id(), bench.stream.id());
    device.wait(other.id(), fork.id());
    bench.add(other, 2);
    device.record(join.id(), other.id());
    if (joins) {
        device.wait(bench.stream.id(), join.id());
        Graph graph(device, device.end_capture(bench.stream.id()));
        CHECK(device.count_nodes(graph.id()).kernels == 3);
    } else {
        CHECK(error_of([&] { device.end_capture(bench.stream.id()); }).code() == ErrorCode::device);
    }
    check_usable(bench);
    bench.add(other);
    device.synchronize(other.id());
}

TEST_CASE("captures: an operator that refuses its operands leaves the capture going") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    SegmentScratch scratch(bench.device);
    OperatorCall call = bench.addition();
    call.outputs[0].shape = {7};
    CaptureGuard guard(bench.device, bench.stream);
    bench.add(bench.stream);
    CHECK(error_of([&] { bench.device.run(call, scratch, bench.stream.id()); }).code() ==
          ErrorCode::invalid_argument);
    Graph graph = guard.finish();
    CHECK(bench.device.count_nodes(graph.id()).kernels == 1);
}
