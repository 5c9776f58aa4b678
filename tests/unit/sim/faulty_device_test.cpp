#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "graphplan/sim.hpp"

using namespace graphplan;

namespace {

class NoScratch final : public Scratch {
  public:
    Address temporary(Bytes) override { return 0; }
    Address workspace(std::string_view, Bytes) override { return 0; }
};

/// A simulated device behind a script.
struct Scripted {
    explicit Scripted(const std::vector<std::string>& faults) {
        SimOptions options;
        options.profile = sim_profile("h200");
        std::vector<Fault> parsed;
        for (const std::string& fault : faults) parsed.push_back(parse_fault(fault));
        device = with_faults(make_sim_device(options), parsed);
        stream = device->create_stream();
    }

    /// Runs an operator that takes no memory beside its operand.
    void run() {
        NoScratch scratch;
        OperatorCall call;
        call.kind = OperatorKind::all_reduce;  // over one rank, in place: touches nothing
        call.inputs = call.outputs = {{0, DType::f32, {0x10}}};
        if (memory == 0) memory = device->allocate(kSegment);
        call.inputs[0].address = call.outputs[0].address = memory;
        device->run(call, scratch, stream);
    }

    std::unique_ptr<Device> device;
    std::uint64_t stream = 0;
    Address memory = 0;
};

Error error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error;
    }
    FAIL("an Error is expected, and none was thrown");
    return {ErrorCode::internal, ""};
}

bool contains(const Error& error, std::string_view words) {
    return std::string(error.what()).find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("the n-th matching call fails, alone") {
    Scripted scripted({"run#2=fails"});
    scripted.run();
    scripted.run();
    Error error = error_of([&] { scripted.run(); });
    CHECK(error.code() == ErrorCode::device);
    CHECK(contains(error, "all_reduce"));
    CHECK(contains(error, "run#2=fails"));
    CHECK_NOTHROW(scripted.run());
}

TEST_CASE("a fault that repeats fails every call from there on") {
    Scripted scripted({"run#1+=out_of_memory"});
    scripted.run();
    for (int i = 0; i < 3; ++i) {
        CHECK(error_of([&] { scripted.run(); }).code() == ErrorCode::out_of_memory);
    }
}

TEST_CASE("only calls within the range count, at any depth of nesting") {
    Scripted scripted({"run@decode bs=64#1=fails"});
    Device& device = *scripted.device;
    scripted.run();
    device.begin_range("llm decode bs=64 tokens=64");
    scripted.run();
    device.end_range();
    scripted.run();
    device.begin_range("decode bs=64 again");
    device.begin_range("inner");
    Error error = error_of([&] { scripted.run(); });
    CHECK(contains(error, "in \"inner\""));
    device.end_range();
    device.end_range();
    scripted.run();
    device.end_range();
    scripted.run();
}

TEST_CASE("of several faults that a call meets the first happens, and each counts it") {
    Scripted scripted({"run#1=out_of_memory", "run#1=fails", "run#2=fails"});
    scripted.run();
    CHECK(error_of([&] { scripted.run(); }).code() == ErrorCode::out_of_memory);
    CHECK(error_of([&] { scripted.run(); }).code() == ErrorCode::device);
    scripted.run();
}

TEST_CASE("run counts outside captures, capture_run inside") {
    Scripted scripted({"capture_run#1=fails"});
    scripted.run();
    scripted.run();
    scripted.run();
    scripted.device->begin_capture(scripted.stream);
    scripted.run();
    Error refused = error_of([&] { scripted.run(); });
    scripted.run();
    Error end = error_of([&] { scripted.device->end_capture(scripted.stream); });
    CHECK(contains(refused, "capturing all_reduce"));
    CHECK(contains(end, refused.what()));

    scripted.device->begin_capture(scripted.stream);
    scripted.run();
    CHECK(scripted.device->end_capture(scripted.stream) != 0);
    scripted.run();
}

TEST_CASE("an operator that fails outside leaves later captures whole") {
    Scripted scripted({"run=fails"});
    CHECK_THROWS_AS(scripted.run(), Error);
    scripted.device->begin_capture(scripted.stream);
    scripted.run();
    CHECK_NOTHROW(scripted.device->end_capture(scripted.stream));
}

TEST_CASE("a capture that is refused at its begin has not begun") {
    Scripted scripted({"begin_capture=fails"});
    CHECK_THROWS_AS(scripted.device->begin_capture(scripted.stream), Error);
    CHECK_NOTHROW(scripted.device->synchronize(scripted.stream));
    CHECK_NOTHROW(scripted.device->begin_capture(scripted.stream));
    CHECK_NOTHROW(scripted.device->end_capture(scripted.stream));
}

TEST_CASE("a capture that is refused at its end is over") {
    Scripted scripted({"end_capture#1=fails"});
    Device& device = *scripted.device;
    for (int i = 0; i < 3; ++i) {
        CAPTURE(i);
        device.begin_capture(scripted.stream);
        if (i == 1) {
            CHECK(error_of([&] { device.end_capture(scripted.stream); }).code() == ErrorCode::device);
            CHECK_NOTHROW(device.synchronize(scripted.stream));
        } else {
            CHECK_NOTHROW(device.end_capture(scripted.stream));
        }
    }
}

TEST_CASE("an instantiation fails and takes nothing") {
    Scripted scripted({"instantiate=out_of_memory"});
    Device& device = *scripted.device;
    device.begin_capture(scripted.stream);
    Graph graph(device, device.end_capture(scripted.stream));
    Bytes before = *device.memory().used_by_process;
    CHECK(error_of([&] { device.instantiate(graph.id()); }).code() == ErrorCode::out_of_memory);
    CHECK(*device.memory().used_by_process == before);
    CHECK_NOTHROW(device.instantiate(graph.id()));
}

TEST_CASE("allocate means segments and mapped memory") {
    Scripted scripted({"allocate#1=out_of_memory"});
    Device& device = *scripted.device;
    Address range = device.reserve();
    device.allocate(kSegment);
    Error error = error_of([&] { device.map(range, 20 * kMiB); });
    CHECK(error.code() == ErrorCode::out_of_memory);
    CHECK(contains(error, "mapping 20.0 MiB"));
    CHECK_NOTHROW(device.map(range, 20 * kMiB));
}

TEST_CASE("an allocation that fails inside a capture does not fail the capture") {
    Scripted scripted({"allocate=out_of_memory"});
    scripted.device->begin_capture(scripted.stream);
    CHECK_THROWS_AS(scripted.device->allocate(kSegment), Error);
    CHECK_NOTHROW(scripted.device->end_capture(scripted.stream));
}

TEST_CASE("after poison every call is that error") {
    Scripted scripted({"instantiate=poisons"});
    Device& device = *scripted.device;
    device.begin_capture(scripted.stream);
    std::uint64_t graph = device.end_capture(scripted.stream);
    CHECK_FALSE(device.poisoned());
    Error first = error_of([&] { device.instantiate(graph); });
    CHECK(first.code() == ErrorCode::device);
    CHECK(device.poisoned());
    CHECK(contains(error_of([&] { device.memory(); }), first.what()));
    CHECK(contains(error_of([&] { device.allocate(kSegment); }), "only a new process"));
    CHECK(contains(error_of([&] { scripted.run(); }), first.what()));
}

TEST_CASE("a device is needed") { CHECK_THROWS_AS(with_faults(nullptr, {}), Error); }

TEST_CASE("a fault carries a device code: its own, or the one that CUDA gives to such a failure") {
    const std::vector<std::pair<std::string_view, int>> cases = {
        {"run=fails", 701}, {"run=out_of_memory", 2}, {"run=poisons", 700}, {"run=fails:715", 715}};
    for (const auto& [text, code] : cases) {
        CAPTURE(text);
        Scripted scripted({std::string(text)});
        CHECK(error_of([&] { scripted.run(); }).device_code() == code);
    }
}

TEST_CASE("a failed capture keeps the first error's code") {
    Scripted scripted({"capture_run=fails:905"});
    scripted.device->begin_capture(scripted.stream);
    CHECK(error_of([&] { scripted.run(); }).device_code() == 905);
    CHECK(error_of([&] { scripted.device->end_capture(scripted.stream); }).device_code() == 905);
}

TEST_CASE("a launch can fail") {
    Scripted scripted({"launch#1=poisons:710"});
    Device& device = *scripted.device;
    device.begin_capture(scripted.stream);
    scripted.run();
    const Graph graph(device, device.end_capture(scripted.stream));
    const Executable executable(device, device.instantiate(graph.id()));
    CHECK_NOTHROW(device.launch(executable.id(), scripted.stream));
    CHECK(error_of([&] { device.launch(executable.id(), scripted.stream); }).device_code() == 710);
    CHECK(device.poisoned());
}

TEST_CASE("every other call can fail too, alone") {
    const std::string operation =
        GENERATE("memory", "create_stream", "create_event", "count_nodes", "synchronize", "record", "wait",
                 "copy", "upload", "download", "fill");
    CAPTURE(operation);
    Scripted scripted({operation + "@here#1=fails"});
    Device& device = *scripted.device;
    const std::uint64_t stream = scripted.stream;
    const Address at = device.allocate(kSegment);
    const Event event(device, device.create_event());
    device.record(event.id(), stream);
    device.begin_capture(stream);
    scripted.run();
    const Graph graph(device, device.end_capture(stream));
    unsigned char host[8] = {};
    const std::map<std::string, std::function<void()>> calls = {
        {"memory", [&] { device.memory(); }},
        {"create_stream", [&] { device.destroy_stream(device.create_stream()); }},
        {"create_event", [&] { device.destroy_event(device.create_event()); }},
        {"count_nodes", [&] { device.count_nodes(graph.id()); }},
        {"synchronize", [&] { device.synchronize(stream); }},
        {"record", [&] { device.record(event.id(), stream); }},
        {"wait", [&] { device.wait(stream, event.id()); }},
        {"copy", [&] { device.copy(at, at + 8, 8, stream); }},
        {"upload", [&] { device.upload(at, host, 8, stream); }},
        {"download", [&] { device.download(host, at, 8, stream); }},
        {"fill", [&] { device.fill(at, 0, 8, stream); }},
    };
    device.begin_range("here");
    for (const auto& [name, call] : calls) CHECK_NOTHROW(call());
    for (const auto& [name, call] : calls) {
        if (name == operation) CHECK(contains(error_of(call), "injected fault \"" + operation + "@here#1"));
        CHECK_NOTHROW(call());
    }
    device.end_range();
}

TEST_CASE("a call that fails inside a capture fails the capture") {
    Scripted scripted({"fill=fails:716"});
    Device& device = *scripted.device;
    scripted.run();
    device.begin_capture(scripted.stream);
    CHECK(error_of([&] { device.fill(scripted.memory, 0, 8, scripted.stream); }).device_code() == 716);
    CHECK(error_of([&] { device.end_capture(scripted.stream); }).device_code() == 716);
    device.begin_capture(scripted.stream);
    device.fill(scripted.memory, 0, 8, scripted.stream);
    CHECK_NOTHROW(device.end_capture(scripted.stream));
}
