#include "operators_harness.hpp"

namespace graphplan::cuda_test {
namespace {

std::vector<double> product(const Tensor& x, const Tensor& weight, const Tensor* bias) {
    const auto depth = static_cast<std::size_t>(x.shape.back());
    const auto columns = static_cast<std::size_t>(weight.shape[0]);
    std::vector<double> result(x.values.size() / depth * columns);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const double* row = x.values.data() + i / columns * depth;
        const double* column = weight.values.data() + i % columns * depth;
        double sum = bias != nullptr ? bias->values[i % columns] : 0;
        for (std::size_t j = 0; j < depth; ++j) sum += row[j] * column[j];
        result[i] = sum;
    }
    return result;
}

}  // namespace

TEST_CASE("linear multiplies with the transposed weight and adds the bias") {
    if (!has_gpu()) return;
    Harness harness;
    const std::vector<Shape> sizes{{1, 1, 1},       {1, 96, 512},    {7, 33, 129},
                                   {64, 256, 1000}, {130, 72, 4096}, {3, 5, 7}};
    for (const DType dtype : kFloats) {
        for (const Shape& size : sizes) {
            for (const bool biased : {false, true}) {
                const Tensor x = random_tensor(dtype, {1, size[0], size[2]});
                const Tensor weight = random_tensor(dtype, {size[1], size[2]});
                const Tensor bias = random_tensor(dtype, {size[1]}, 5);
                const std::vector<Tensor> weights = biased ? std::vector{weight, bias} : std::vector{weight};
                Call call(OperatorKind::linear, {x}, weights, {poisoned(dtype, {1, size[0], size[1]})});
                INFO(size[0] << " x " << size[1] << " x " << size[2] << (biased ? " with bias" : ""));
                const std::vector<double> wanted = product(x, weight, biased ? &bias : nullptr);
                harness.run(call);
                check_close(call.output(), wanted);
                harness.run(call);
                check_close(call.output(), wanted);
            }
        }
    }
}

TEST_CASE("linear gives f32 from 16-bit operands where that is wanted") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType dtype : {DType::f16, DType::bf16}) {
        const Tensor x = random_tensor(dtype, {9, 640});
        const Tensor weight = random_tensor(dtype, {48, 640});
        Call call(OperatorKind::linear, {x}, {weight}, {poisoned(DType::f32, {9, 48})});
        harness.run(call);
        check_close(call.output(), product(x, weight, nullptr));
    }
}

TEST_CASE("linear wants the same memory whatever it has searched") {
    if (!has_gpu()) return;
    Harness harness;
    Call call(OperatorKind::linear, {random_tensor(DType::bf16, {8, 64})},
              {random_tensor(DType::bf16, {16, 64})}, {poisoned(DType::bf16, {8, 16})});
    harness.enqueue(call, false);
    const std::vector<Bytes> first = harness.scratch().sizes();
    harness.synchronize();
    harness.scratch().finish_call();
    harness.enqueue(call, false);
    CHECK(harness.scratch().sizes() == first);
    CHECK(first == std::vector<Bytes>{32 * kMiB});
    harness.synchronize();
}

}  // namespace graphplan::cuda_test
