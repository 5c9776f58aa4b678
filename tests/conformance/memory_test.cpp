#include "bench.hpp"
#include "catch.hpp"

using namespace graphplan;
using namespace graphplan::conformance;

namespace {

constexpr Bytes kSize = 64 * kMiB;

/// A mapped range with so much work enqueued on it that it is still running when this returns.
struct BusyRange {
    static constexpr Bytes kBytes = 256 * kMiB;

    BusyRange(Device& on, const Stream& stream) : device(on), address(on.reserve()) {
        device.map(address, kBytes);
        for (int i = 0; i < 400; ++i) device.fill(address, i % 256, kBytes, stream.id());
    }
    void unmap() { device.unmap(address, kBytes); }

    Device& device;
    Address address;
};

void check_going_on(Bench& bench) {
    bench.add(bench.stream);
    CHECK_NOTHROW(bench.device.synchronize(bench.stream.id()));
    CHECK_FALSE(bench.device.poisoned());
}

}  // namespace

TEST_CASE("memory: what is allocated is used, and released gives it back") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Bytes before = bench.used();

    Address address = bench.device.allocate(kSize);
    CHECK(address != 0);
    CHECK(bench.used() == before + kSize);
    bench.device.release(address, kSize);
    CHECK(bench.used() == before);
}

TEST_CASE("memory: the total is the capabilities', free and used lie within it") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    MemoryInfo info = bench.device.memory();
    CHECK(info.total_bytes == bench.device.capabilities().total_bytes);
    CHECK(info.free_bytes > 0);
    CHECK(info.free_bytes < info.total_bytes);
    CHECK(info.used_by_process.has_value() == bench.device.capabilities().measures_process_memory);
    if (info.used_by_process) CHECK(*info.used_by_process + info.free_bytes <= info.total_bytes);
}

TEST_CASE("memory: segments don't overlap") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Address a = bench.device.allocate(kSize);
    Address b = bench.device.allocate(2 * kMiB);
    Address c = bench.device.allocate(kSize);
    CHECK((a + kSize <= b || b + 2 * kMiB <= a));
    CHECK((a + kSize <= c || c + kSize <= a));
    CHECK((b + 2 * kMiB <= c || c + kSize <= b));
    for (Address address : {a, c}) bench.device.release(address, kSize);
    bench.device.release(b, 2 * kMiB);
}

TEST_CASE("memory: running out is an Error that says how much was wanted, and the device goes on") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Bytes before = bench.used();
    Bytes wanted = round_up(bench.device.capabilities().total_bytes, kSegment) + kSegment;

    Error error = error_of([&] { bench.device.allocate(wanted); });
    CHECK(error.code() == ErrorCode::out_of_memory);
    CHECK(std::string(error.what()).find(format_bytes(wanted)) != std::string::npos);
    CHECK_FALSE(bench.device.poisoned());
    // A driver may let go of what it cached for itself before it gives up.
    Bytes after = bench.used();
    CHECK(after <= before);

    bench.add(bench.stream);
    bench.device.synchronize(bench.stream.id());
    Address address = bench.device.allocate(kSize);
    CHECK(bench.used() == after + kSize);
    bench.device.release(address, kSize);
}

TEST_CASE("memory: a reserved range takes nothing until it is mapped") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Bytes before = bench.used();
    Address range = bench.device.reserve();
    CHECK(bench.used() == before);

    bench.device.map(range, 20 * kMiB);
    bench.device.map(range + 20 * kMiB, 2 * kMiB);
    CHECK(bench.used() == before + 22 * kMiB);
    bench.device.unmap(range, 20 * kMiB);
    CHECK(bench.used() == before + 2 * kMiB);
    bench.device.map(range, 2 * kMiB);
    CHECK(bench.used() == before + 4 * kMiB);
    bench.device.unmap(range, 2 * kMiB);
    bench.device.unmap(range + 20 * kMiB, 2 * kMiB);
    CHECK(bench.used() == before);
}

TEST_CASE("memory: what is unmapped is first waited for") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    BusyRange busy(bench.device, bench.stream);
    busy.unmap();
    check_going_on(bench);
}

TEST_CASE("memory: unmapping waits for other streams while one captures, and for what that one ran before") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Stream other(bench.device, bench.device.create_stream());
    BusyRange elsewhere(bench.device, other);
    BusyRange before(bench.device, bench.stream);
    CaptureGuard guard(bench.device, bench.stream);
    bench.add(bench.stream, 2);
    elsewhere.unmap();
    before.unmap();
    bench.add(bench.stream);
    Graph graph = guard.finish();
    CHECK(bench.device.count_nodes(graph.id()).kernels == 3);
    CHECK_NOTHROW(bench.device.synchronize(other.id()));
    check_going_on(bench);
}

TEST_CASE(
    "memory: unmapping leaves a stream alone that joined a capture, and waited for what it ran before") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Device& device = bench.device;
    Stream other(device, device.create_stream());
    Event fork(device, device.create_event());
    Event join(device, device.create_event());
    BusyRange busy(device, other);
    CaptureGuard guard(device, bench.stream);
    device.record(fork.id(), bench.stream.id());
    device.wait(other.id(), fork.id());
    bench.add(other);
    busy.unmap();
    device.record(join.id(), other.id());
    device.wait(bench.stream.id(), join.id());
    Graph graph = guard.finish();
    CHECK(device.count_nodes(graph.id()).kernels == 1);
    check_going_on(bench);
}

TEST_CASE("memory: what a stream enqueued before it was destroyed is waited for too") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Stream other(bench.device, bench.device.create_stream());
    BusyRange busy(bench.device, other);
    other = Stream();
    busy.unmap();
    check_going_on(bench);
}

TEST_CASE("memory: contents go up, are copied, filled and come down") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    std::vector<unsigned char> sent(256);
    for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<unsigned char>(i);
    std::vector<unsigned char> expected = sent;
    std::fill(expected.begin() + 64, expected.begin() + 128, static_cast<unsigned char>(0x5a));
    if (!bench.device.capabilities().computes) expected.assign(expected.size(), 0);

    std::uint64_t stream = bench.stream.id();
    bench.device.upload(bench.segment, sent.data(), 256, stream);
    bench.device.copy(bench.segment + 4096, bench.segment, 256, stream);
    bench.device.fill(bench.segment + 4096 + 64, 0x5a, 64, stream);
    std::vector<unsigned char> received(256, 0xff);
    bench.device.download(received.data(), bench.segment + 4096, 256, stream);
    CHECK(received == expected);
}
