#include "sim/sim_device.hpp"

#include <limits>
#include <vector>

#include "catch.hpp"

using namespace graphplan;

namespace {

SimOptions h200() {
    SimOptions options;
    options.profile = sim_profile("h200");
    return options;
}

class CountingScratch final : public Scratch {
  public:
    explicit CountingScratch(Address address) : address_(address) {}
    Address temporary(Bytes bytes) override {
        temporaries.push_back(bytes);
        return address_;
    }
    Address workspace(std::string_view library, Bytes bytes) override {
        workspaces.emplace_back(library, bytes);
        return address_;
    }
    std::vector<Bytes> temporaries;
    std::vector<std::pair<std::string, Bytes>> workspaces;

  private:
    Address address_;
};

OperatorCall gelu_at(Address address) {
    OperatorCall call;
    call.kind = OperatorKind::gelu;
    call.inputs = {{address, DType::f32, {kMiB / 4}}};
    call.outputs = {{address + kMiB, DType::f32, {kMiB / 4}}};
    return call;
}

}  // namespace

TEST_CASE("a simulated device says what it is") {
    SimOptions options = h200();
    options.measures_process_memory = false;
    auto device = make_sim_device(options);
    const Capabilities& capabilities = device->capabilities();
    CHECK(capabilities.backend == "sim");
    CHECK(capabilities.name == "NVIDIA H200");
    CHECK(capabilities.driver.empty());
    CHECK_FALSE(capabilities.computes);
    CHECK_FALSE(capabilities.measures_process_memory);
    CHECK_FALSE(device->memory().used_by_process.has_value());
    CHECK_FALSE(device->poisoned());
}

TEST_CASE("context and other processes take memory from the start") {
    SimOptions options = h200();
    options.taken_bytes = 10 * kGiB;
    MemoryInfo info = make_sim_device(options)->memory();
    CHECK(info.used_by_process == options.profile.context_bytes);
    CHECK(info.free_bytes == info.total_bytes - options.profile.context_bytes - 10 * kGiB);
}

TEST_CASE("options that make no device are refused") {
    SimOptions options;
    CHECK_THROWS_AS(make_sim_device(options), Error);
    options = h200();
    options.taken_bytes = options.profile.total_bytes;
    CHECK_THROWS_AS(make_sim_device(options), Error);
    options = h200();
    options.profile.bytes_per_second = 0;
    CHECK_THROWS_AS(make_sim_device(options), Error);
    options = h200();
    options.neighbour_bytes = -1;
    CHECK_THROWS_AS(make_sim_device(options), Error);
}

TEST_CASE("neighbours move free memory, never the process's") {
    SimOptions options = h200();
    options.neighbour_bytes = 100 * kMiB;
    auto device = make_sim_device(options);
    Bytes least = std::numeric_limits<Bytes>::max();
    Bytes most = 0;
    for (int i = 0; i < 50; ++i) {
        MemoryInfo info = device->memory();
        CHECK(info.used_by_process == options.profile.context_bytes);
        least = std::min(least, info.free_bytes);
        most = std::max(most, info.free_bytes);
    }
    CHECK(most > least);
}

TEST_CASE("the first capture of a process takes memory, once, even if it is abandoned") {
    auto device = make_sim_device(h200());
    Stream stream(*device, device->create_stream());
    Bytes before = *device->memory().used_by_process;
    { CaptureGuard guard(*device, stream); }
    CHECK(*device->memory().used_by_process == before + 72 * kMiB);
    CaptureGuard(*device, stream).finish();
    CHECK(*device->memory().used_by_process == before + 72 * kMiB);
}

TEST_CASE("a first capture that does not fit is out of memory, and begins once there is room") {
    SimOptions options = h200();
    options.profile.total_bytes = 600 * kMiB;
    auto device = make_sim_device(options);
    Stream stream(*device, device->create_stream());
    Address address = device->allocate(20 * kMiB);
    CHECK_THROWS_AS(device->begin_capture(stream.id()), Error);
    CHECK_NOTHROW(device->synchronize(stream.id()));
    device->release(address, 20 * kMiB);
    CHECK_NOTHROW(device->begin_capture(stream.id()));
}

TEST_CASE("a device without captures says so and refuses them") {
    SimOptions options = h200();
    options.captures_graphs = false;
    auto device = make_sim_device(options);
    CHECK_FALSE(device->capabilities().captures_graphs);
    std::uint64_t stream = device->create_stream();
    CHECK_THROWS_AS(device->begin_capture(stream), Error);
    CHECK_NOTHROW(device->synchronize(stream));
}

TEST_CASE("touching memory that is not the process's loses the context") {
    auto device = make_sim_device(h200());
    std::uint64_t stream = device->create_stream();
    Address address = device->allocate(kSegment);
    CountingScratch scratch(address);
    device->run(gelu_at(address), scratch, stream);
    device->release(address, kSegment);
    CHECK_THROWS_AS(device->run(gelu_at(address), scratch, stream), Error);
    CHECK(device->poisoned());
    try {
        device->memory();
        FAIL("an Error is expected");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::device);
        CHECK(std::string(error.what()).find("gelu made an illegal memory access") != std::string::npos);
    }
}

TEST_CASE("a graph may be captured anywhere, but replays only where its memory is") {
    auto device = make_sim_device(h200());
    Stream stream(*device, device->create_stream());
    Address address = device->allocate(kSegment);
    CountingScratch scratch(address);
    CaptureGuard guard(*device, stream);
    device->run(gelu_at(address), scratch, stream.id());
    Graph graph = guard.finish();
    Executable executable(*device, device->instantiate(graph.id()));
    device->launch(executable.id(), stream.id());
    device->release(address, kSegment);
    CHECK_THROWS_AS(device->launch(executable.id(), stream.id()), Error);
    CHECK(device->poisoned());
}

TEST_CASE("operators ask for what the real ones take") {
    auto device = make_sim_device(h200());
    std::uint64_t stream = device->create_stream();
    Address address = device->allocate(32 * kMiB);
    CountingScratch scratch(address);
    OperatorCall call;
    call.kind = OperatorKind::linear;
    call.inputs = {{address, DType::bf16, {8, 64}}};
    call.weights = {{address + kMiB, DType::bf16, {32, 64}}};
    call.outputs = {{address + 2 * kMiB, DType::bf16, {8, 32}}};
    device->run(call, scratch, stream);
    CHECK(scratch.workspaces == std::vector<std::pair<std::string, Bytes>>{{"cublaslt", 32 * kMiB}});
    CHECK(scratch.temporaries.empty());
}

TEST_CASE("time is the roofline's, with launches between") {
    SimOptions options = h200();
    auto device = make_sim_device(options);
    Stream stream(*device, device->create_stream());
    Address address = device->allocate(kSegment);
    CountingScratch scratch(address);
    Event start(*device, device->create_event());
    Event end(*device, device->create_event());
    double work_us = 2e6 * kMiB / options.profile.bytes_per_second;

    device->record(start.id(), stream.id());
    for (int i = 0; i < 10; ++i) device->run(gelu_at(address), scratch, stream.id());
    device->record(end.id(), stream.id());
    CHECK_THROWS_AS(device->elapsed_us(start.id(), end.id()), Error);
    device->synchronize(stream.id());
    CHECK(device->elapsed_us(start.id(), end.id()) ==
          Approx(10 * options.profile.launch_us + work_us + options.profile.graph_node_us));

    CaptureGuard guard(*device, stream);
    for (int i = 0; i < 10; ++i) device->run(gelu_at(address), scratch, stream.id());
    Graph graph = guard.finish();
    Executable executable(*device, device->instantiate(graph.id()));
    device->record(start.id(), stream.id());
    device->launch(executable.id(), stream.id());
    device->record(end.id(), stream.id());
    device->synchronize(stream.id());
    double nodes_us = 10 * (work_us + options.profile.graph_node_us);
    CHECK(device->elapsed_us(start.id(), end.id()) == Approx(options.profile.launch_us + nodes_us));
}

TEST_CASE("the same options give the same answers") {
    auto story = [] {
        SimOptions options = h200();
        options.seed = 11;
        options.neighbour_bytes = 64 * kMiB;
        auto device = make_sim_device(options);
        Stream stream(*device, device->create_stream());
        std::vector<std::uint64_t> answers;
        for (int i = 0; i < 20; ++i) {
            answers.push_back(device->allocate((i % 7 + 1) * kSegment));
            answers.push_back(static_cast<std::uint64_t>(device->memory().free_bytes));
            Graph graph = CaptureGuard(*device, stream).finish();
            answers.push_back(device->instantiate(graph.id()));
        }
        return answers;
    };
    CHECK(story() == story());
}
