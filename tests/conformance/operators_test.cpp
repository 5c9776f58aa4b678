#include "bench.hpp"
#include "catch.hpp"

using namespace graphplan;
using namespace graphplan::conformance;

namespace {

/// Hands out a segment's addresses without taking more, and counts.
class CountingScratch final : public Scratch {
  public:
    explicit CountingScratch(Address address) : address_(address) {}
    Address temporary(Bytes bytes) override {
        CHECK(bytes > 0);
        return address_;
    }
    Address workspace(std::string_view library, Bytes bytes) override {
        CHECK_FALSE(library.empty());
        CHECK(bytes > 0);
        ++workspaces;
        return address_;
    }
    int workspaces = 0;

  private:
    Address address_;
};

OperatorCall matrix_product(Address at, std::int64_t columns) {
    OperatorCall call;
    call.kind = OperatorKind::linear;
    call.inputs = {{at, DType::bf16, {8, 64}}};
    call.weights = {{at + kMiB, DType::bf16, {32, columns}}};
    call.outputs = {{at + 2 * kMiB, DType::bf16, {8, 32}}};
    return call;
}

}  // namespace

TEST_CASE("operators: a matrix product runs with its library's workspace") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    Address memory = bench.device.allocate(64 * kMiB);
    CountingScratch scratch(memory);
    bench.device.run(matrix_product(bench.segment, 64), scratch, bench.stream.id());
    bench.device.synchronize(bench.stream.id());
    CHECK(scratch.workspaces == 1);
    bench.device.release(memory, 64 * kMiB);
}

TEST_CASE("operators: operands that don't fit are refused, and the device goes on") {
    auto factory = GENERATE(from_range(device_factories()));
    CAPTURE(factory.name);
    Bench bench(factory.make());
    CountingScratch scratch(bench.segment);
    Error error =
        error_of([&] { bench.device.run(matrix_product(bench.segment, 63), scratch, bench.stream.id()); });
    CHECK(error.code() == ErrorCode::invalid_argument);
    CHECK(std::string(error.what()).find("linear") != std::string::npos);
    CHECK(scratch.workspaces == 0);
    bench.add(bench.stream);
    bench.device.synchronize(bench.stream.id());
}
