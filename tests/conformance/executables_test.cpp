#include "bench.hpp"
#include "catch.hpp"

using namespace graphplan;
using namespace graphplan::conformance;

namespace {

std::vector<Executable> instantiate(Device& device, const Graph& graph, int copies) {
    std::vector<Executable> executables;
    for (int i = 0; i < copies; ++i) executables.emplace_back(device, device.instantiate(graph.id()));
    return executables;
}

}  // namespace

TEST_CASE("executables: two of one graph launch, also when the graph is gone") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Graph graph = bench.capture(4);
    std::vector<Executable> two = instantiate(bench.device, graph, 2);
    CHECK(two[0].id() != two[1].id());
    graph = Graph();
    for (const Executable& executable : two) {
        bench.device.launch(executable.id(), bench.stream.id());
        bench.device.launch(executable.id(), bench.stream.id());
    }
    bench.device.synchronize(bench.stream.id());
    CHECK_FALSE(bench.device.poisoned());
}

TEST_CASE("executables: replaying computes what running does") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    std::uint64_t stream = bench.stream.id();
    OperatorCall call = bench.addition();
    Graph graph = bench.capture(1);
    Executable executable(bench.device, bench.device.instantiate(graph.id()));

    std::vector<float> x(1024, 1.5F);
    std::vector<float> y(1024, 2.0F);
    std::vector<float> sum(1024, -1.0F);
    bench.device.upload(call.inputs[0].address, x.data(), 4096, stream);
    bench.device.upload(call.inputs[1].address, y.data(), 4096, stream);
    bench.device.launch(executable.id(), stream);
    bench.device.download(sum.data(), call.outputs[0].address, 4096, stream);
    CHECK(sum == std::vector<float>(1024, bench.device.capabilities().computes ? 3.5F : 0.0F));
}

TEST_CASE("executables: their memory grows with kernels, is kept when they go and used again") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    if (!bench.device.capabilities().measures_process_memory) return;  // neighbours would be counted
    Graph graph = bench.capture(300);
    Bytes before = bench.used();

    std::vector<Executable> first = instantiate(bench.device, graph, 40);
    Bytes taken = bench.used() - before;
    CHECK(taken >= 16 * kMiB);
    CHECK(taken % kSegment == 0);
    first.clear();
    CHECK(bench.used() - before == taken);

    std::vector<Executable> again = instantiate(bench.device, graph, 40);
    CHECK(bench.used() - before == taken);
    again.clear();

    Graph smaller = bench.capture(225);
    std::vector<Executable> more = instantiate(bench.device, smaller, 40);
    CHECK(bench.used() - before == taken);
}

TEST_CASE("executables: launching one that is not there is an error") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    CHECK(error_of([&] { bench.device.launch(987654321, bench.stream.id()); }).code() == ErrorCode::device);
    CHECK(error_of([&] { bench.device.instantiate(987654321); }).code() == ErrorCode::device);
    CHECK_FALSE(bench.device.poisoned());
}

TEST_CASE("handles: what was moved from destroys nothing") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Graph graph = bench.capture(2);
    Executable kept;
    CHECK_FALSE(kept);
    {
        Executable made(bench.device, bench.device.instantiate(graph.id()));
        kept = std::move(made);
        Executable through(std::move(kept));
        CHECK(through);
        kept = std::move(through);
    }
    REQUIRE(kept);
    bench.device.launch(kept.id(), bench.stream.id());
    bench.device.synchronize(bench.stream.id());

    Stream stream(bench.device, bench.device.create_stream());
    Stream moved(std::move(stream));
    { Stream gone(std::move(stream)); }
    bench.add(moved);
    bench.device.synchronize(moved.id());
    CHECK_FALSE(bench.device.poisoned());
}
