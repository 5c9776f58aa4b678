#include "catch.hpp"
#include "operators_fixture.hpp"

using namespace graphplan;
using namespace graphplan::sim;

namespace {

OperatorCall conv(OperatorKind kind, DType dtype, std::vector<std::int64_t> x,
                  std::vector<std::int64_t> weight, std::vector<std::int64_t> out,
                  const OperatorParameters& parameters) {
    return call_of(kind, {tensor(dtype, std::move(x))}, {tensor(dtype, std::move(weight))},
                   {tensor(dtype, std::move(out))}, parameters);
}

OperatorParameters geometry(std::int64_t stride, std::int64_t padding, std::int64_t dilation,
                            std::int64_t groups) {
    OperatorParameters parameters;
    parameters.stride = stride;
    parameters.padding = padding;
    parameters.dilation = dilation;
    parameters.groups = groups;
    return parameters;
}

}  // namespace

TEST_CASE("a convolution's length follows stride, padding and dilation") {
    auto kind = OperatorKind::conv1d;
    CHECK_FALSE(refuses(conv(kind, DType::f32, {2, 8, 100}, {16, 8, 7}, {2, 16, 100}, geometry(1, 3, 1, 1))));
    CHECK_FALSE(refuses(conv(kind, DType::f32, {2, 8, 100}, {16, 8, 3}, {2, 16, 92}, geometry(1, 0, 4, 1))));
    CHECK_FALSE(refuses(conv(kind, DType::f32, {2, 8, 100}, {16, 4, 4}, {2, 16, 49}, geometry(2, 0, 1, 2))));
    CHECK(refuses(conv(kind, DType::f32, {2, 8, 100}, {16, 8, 7}, {2, 16, 99}, geometry(1, 3, 1, 1))));
    CHECK(refuses(conv(kind, DType::f32, {2, 8, 4}, {16, 8, 7}, {2, 16, 1}, geometry(1, 0, 1, 1))));
    CHECK(refuses(conv(kind, DType::f32, {2, 8, 100}, {16, 8, 7}, {2, 16, 100}, geometry(0, 3, 1, 1))));
    CHECK(refuses(conv(kind, DType::f32, {2, 8, 100}, {16, 8, 7}, {2, 16, 100}, geometry(1, 3, 1, 3))));
    CHECK(refuses(conv(kind, DType::i32, {2, 8, 100}, {16, 8, 7}, {2, 16, 100}, geometry(1, 3, 1, 1))));
}

TEST_CASE("a transposed convolution makes its input longer") {
    auto kind = OperatorKind::conv_transpose1d;
    CHECK_FALSE(refuses(conv(kind, DType::f32, {2, 8, 50}, {8, 4, 16}, {2, 4, 400}, geometry(8, 4, 1, 1))));
    CHECK_FALSE(refuses(conv(kind, DType::f32, {2, 8, 50}, {8, 4, 16}, {2, 8, 400}, geometry(8, 4, 1, 2))));
    CHECK(refuses(conv(kind, DType::f32, {2, 8, 50}, {4, 8, 16}, {2, 8, 400}, geometry(8, 4, 1, 1))));
    CHECK(refuses(conv(kind, DType::f32, {2, 8, 50}, {8, 4, 16}, {2, 4, 401}, geometry(8, 4, 1, 1))));
    CHECK(refuses(conv(kind, DType::f32, {2, 8, 1}, {8, 4, 2}, {2, 4, 1}, geometry(1, 2, 1, 1))));
}

TEST_CASE("16-bit convolutions lay their operands out anew, f32 ones keep offsets") {
    auto kind = OperatorKind::conv1d;
    OperatorParameters same = geometry(1, 3, 1, 1);
    Work half = work_of(conv(kind, DType::bf16, {2, 8, 100}, {16, 8, 7}, {2, 16, 100}, same));
    Work full = work_of(conv(kind, DType::f32, {2, 8, 100}, {16, 8, 7}, {2, 16, 100}, same));
    CHECK(half.kernels == 4);
    CHECK(half.temporaries == std::vector<Bytes>{2 * (2 * 8 * 100 + 16 * 8 * 7 + 2 * 16 * 100)});
    CHECK(full.kernels == 2);
    CHECK(full.temporaries == std::vector<Bytes>{7 * 8 * 8});
    CHECK(half.flops == 2.0 * (2 * 16 * 100) * (8 * 7));
    CHECK(full.flops == half.flops);
}

TEST_CASE("a transposed convolution multiplies each input with each weight that it meets") {
    Work work = work_of(conv(OperatorKind::conv_transpose1d, DType::f32, {2, 8, 50}, {8, 4, 16}, {2, 4, 400},
                             geometry(8, 4, 1, 1)));
    CHECK(work.flops == 2.0 * (2 * 8 * 50) * (4 * 16));
}

TEST_CASE("a bias is a kernel more") {
    OperatorCall call =
        conv(OperatorKind::conv1d, DType::f32, {2, 8, 100}, {16, 8, 7}, {2, 16, 100}, geometry(1, 3, 1, 1));
    call.weights.push_back(tensor(DType::f32, {16}));
    CHECK(work_of(call).kernels == 3);
    call.weights[1] = tensor(DType::f32, {8});
    CHECK(refuses(call));
}
