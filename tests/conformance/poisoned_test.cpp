#include "bench.hpp"
#include "catch.hpp"
#include "graphplan/sim.hpp"

using namespace graphplan;
using namespace graphplan::conformance;

namespace {

std::unique_ptr<Device> poisoned_at(const DeviceFactory& factory, std::string_view fault) {
    return with_faults(factory.make(), {parse_fault(fault)});
}

}  // namespace

TEST_CASE("poisoned: every later call is the error, and destructors are quiet") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(poisoned_at(factory, "run@breaks=poisons"));
    Device& device = bench.device;
    Graph graph = bench.capture(1);
    Executable executable(device, device.instantiate(graph.id()));
    Event event(device, device.create_event());
    SegmentScratch scratch(device);
    unsigned char byte = 0;
    std::uint64_t stream = bench.stream.id();

    device.begin_range("this breaks");
    Error first = error_of([&] { bench.add(bench.stream); });
    device.end_range();
    CHECK(first.code() == ErrorCode::device);
    CHECK(device.poisoned());

    std::vector<std::function<void()>> calls = {
        [&] { device.memory(); },
        [&] { device.allocate(kSegment); },
        [&] { device.reserve(); },
        [&] { device.map(1 << 30, kSegment); },
        [&] { device.create_stream(); },
        [&] { device.create_event(); },
        [&] { device.synchronize(stream); },
        [&] { device.record(event.id(), stream); },
        [&] { device.wait(stream, event.id()); },
        [&] { device.elapsed_us(event.id(), event.id()); },
        [&] { device.begin_capture(stream); },
        [&] { device.end_capture(stream); },
        [&] { device.count_nodes(graph.id()); },
        [&] { device.instantiate(graph.id()); },
        [&] { device.launch(executable.id(), stream); },
        [&] { device.copy(bench.segment, bench.segment + 64, 64, stream); },
        [&] { device.upload(bench.segment, &byte, 1, stream); },
        [&] { device.download(&byte, bench.segment, 1, stream); },
        [&] { device.fill(bench.segment, 0, 64, stream); },
        [&] { device.run(bench.addition(), scratch, stream); },
        [&] { device.begin_range("later"); },
    };
    for (std::size_t i = 0; i < calls.size(); ++i) {
        CAPTURE(i);
        Error error = error_of(calls[i]);
        CHECK(error.code() == ErrorCode::device);
        CHECK(std::string(error.what()).find(first.what()) != std::string::npos);
    }
    device.abandon_capture(stream);
    device.release(bench.segment, Bench::kBytes);
    CHECK(device.poisoned());
}

TEST_CASE("poisoned: a capture that was going on is over, whatever becomes of its guard") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(poisoned_at(factory, "capture_run#2=poisons"));
    {
        CaptureGuard guard(bench.device, bench.stream);
        CHECK(error_of([&] { bench.add(bench.stream, 3); }).code() == ErrorCode::device);
        CHECK(error_of([&] { guard.finish(); }).code() == ErrorCode::device);
    }
    CHECK(bench.device.poisoned());
}
