#include "bench.hpp"

#include "catch.hpp"

namespace graphplan::conformance {

SegmentScratch::~SegmentScratch() {
    for (auto [address, bytes] : taken_) device_.release(address, bytes);
}

Address SegmentScratch::temporary(Bytes bytes) {
    Bytes rounded = round_up(bytes, kSegment);
    taken_.emplace_back(device_.allocate(rounded), rounded);
    return taken_.back().first;
}

Address SegmentScratch::workspace(std::string_view, Bytes bytes) { return temporary(bytes); }

Bench::Bench(std::unique_ptr<Device> made)
    : owned_(std::move(made)),
      device(*owned_),
      stream(device, device.create_stream()),
      segment(device.allocate(kBytes)),
      scratch_(device) {
    add(stream);
    device.synchronize(stream.id());
}

Bench::~Bench() { device.release(segment, kBytes); }

Bytes Bench::used() {
    MemoryInfo info = device.memory();
    return info.used_by_process.value_or(info.total_bytes - info.free_bytes);
}

OperatorCall Bench::addition(std::int64_t elements) const {
    OperatorCall call;
    call.kind = OperatorKind::add;
    call.inputs = {{segment, DType::f32, {elements}}, {segment + 4 * kMiB, DType::f32, {elements}}};
    call.outputs = {{segment + 8 * kMiB, DType::f32, {elements}}};
    return call;
}

void Bench::add(const Stream& on, int times) {
    for (int i = 0; i < times; ++i) device.run(addition(), scratch_, on.id());
}

Graph Bench::capture(int kernels) {
    CaptureGuard guard(device, stream);
    add(stream, kernels);
    return guard.finish();
}

Error error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error;
    }
    FAIL("an Error is expected, and none was thrown");
    return {ErrorCode::internal, "unreachable"};
}

}  // namespace graphplan::conformance
