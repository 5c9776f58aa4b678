#include "bench.hpp"
#include "catch.hpp"

using namespace graphplan;
using namespace graphplan::conformance;

TEST_CASE("streams: time between events never runs back and grows with work") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Device& device = bench.device;
    std::uint64_t stream = bench.stream.id();
    std::vector<Event> events;
    for (int times : {0, 1, 200}) {
        bench.add(bench.stream, times);
        events.emplace_back(device, device.create_event());
        device.record(events.back().id(), stream);
    }
    device.synchronize(stream);
    double one = device.elapsed_us(events[0].id(), events[1].id());
    double many = device.elapsed_us(events[1].id(), events[2].id());
    CHECK(one >= 0);
    CHECK(many > one);
    CHECK(device.elapsed_us(events[0].id(), events[2].id()) >= many);
    CHECK(device.elapsed_us(events[0].id(), events[0].id()) == 0);
}

TEST_CASE("streams: an event that never happened has no time") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Event recorded(bench.device, bench.device.create_event());
    Event never(bench.device, bench.device.create_event());
    bench.device.record(recorded.id(), bench.stream.id());
    bench.device.synchronize(bench.stream.id());
    CHECK(error_of([&] { bench.device.elapsed_us(recorded.id(), never.id()); }).code() == ErrorCode::device);
}

TEST_CASE("streams: one that waits for an event does its work after it") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Device& device = bench.device;
    Stream other(device, device.create_stream());
    Event first(device, device.create_event());
    Event second(device, device.create_event());
    bench.add(bench.stream, 100);
    device.record(first.id(), bench.stream.id());
    device.wait(other.id(), first.id());
    bench.add(other);
    device.record(second.id(), other.id());
    device.synchronize(other.id());
    CHECK(device.elapsed_us(first.id(), second.id()) >= 0);
}

TEST_CASE("streams: a replay costs less than running its nodes one by one") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Device& device = bench.device;
    std::uint64_t stream = bench.stream.id();
    Graph graph = bench.capture(200);
    Executable executable(device, device.instantiate(graph.id()));
    device.launch(executable.id(), stream);
    Event start(device, device.create_event());
    Event between(device, device.create_event());
    Event end(device, device.create_event());

    device.record(start.id(), stream);
    bench.add(bench.stream, 200);
    device.record(between.id(), stream);
    device.synchronize(stream);
    double eager = device.elapsed_us(start.id(), between.id());
    device.record(start.id(), stream);
    device.launch(executable.id(), stream);
    device.record(end.id(), stream);
    device.synchronize(stream);
    CHECK(device.elapsed_us(start.id(), end.id()) < eager);
}

TEST_CASE("streams: ranges nest") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    bench.device.begin_range("size llm");
    bench.device.begin_range("decode bs=64 tokens=64");
    bench.add(bench.stream);
    bench.device.end_range();
    bench.device.end_range();
    bench.device.synchronize(bench.stream.id());
    CHECK_FALSE(bench.device.poisoned());
}
