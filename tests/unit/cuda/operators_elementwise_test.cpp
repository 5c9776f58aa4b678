#include <cmath>

#include "operators_harness.hpp"

namespace graphplan::cuda_test {
namespace {

using Function = std::function<double(double, double)>;

void check_map(OperatorKind kind, bool binary, const Function& function) {
    Harness harness;
    for (const DType dtype : kFloats) {
        for (const std::int64_t n : {1, 7, 255, 1024, 100003}) {
            for (const Bytes shift : {0, 1}) {
                std::vector<Tensor> inputs{random_tensor(dtype, {n}, 4)};
                if (binary) inputs.push_back(random_tensor(dtype, {n}, 4));
                OperatorParameters parameters;
                parameters.slope = 0.25;
                Call call(kind, inputs, {}, {poisoned(dtype, {n})}, parameters, shift);
                harness.run(call);
                std::vector<double> wanted;
                for (std::size_t i = 0; i < inputs[0].values.size(); ++i) {
                    wanted.push_back(function(inputs.front().values[i], inputs.back().values[i]));
                }
                INFO(to_string(kind) << " of " << n << " elements, shifted by " << shift);
                check_close(call.output(), wanted);
            }
        }
    }
}

double silu(double x) { return x / (1 + std::exp(-x)); }

}  // namespace

TEST_CASE("gelu is x times the normal distribution's share below it") {
    if (!has_gpu()) return;
    check_map(OperatorKind::gelu, false,
              [](double x, double) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0))); });
}

TEST_CASE("leaky_relu scales what is negative by its slope") {
    if (!has_gpu()) return;
    check_map(OperatorKind::leaky_relu, false, [](double x, double) { return x < 0 ? 0.25 * x : x; });
}

TEST_CASE("tanh, add and mul work element by element") {
    if (!has_gpu()) return;
    check_map(OperatorKind::tanh, false, [](double x, double) { return std::tanh(x); });
    check_map(OperatorKind::add, true, [](double x, double y) { return x + y; });
    check_map(OperatorKind::mul, true, [](double x, double y) { return x * y; });
}

TEST_CASE("silu_mul gates the second half of each row with the first") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType dtype : kFloats) {
        for (const std::int64_t features : {1, 5, 64, 2056, 14336}) {
            const std::int64_t rows = 3;
            const Tensor x = random_tensor(dtype, {rows, 2 * features}, 5);
            Call call(OperatorKind::silu_mul, {x}, {}, {poisoned(dtype, {rows, features})});
            harness.run(call);
            std::vector<double> wanted;
            for (std::int64_t i = 0; i < rows * features; ++i) {
                const auto at = static_cast<std::size_t>(i / features * 2 * features + i % features);
                wanted.push_back(silu(x.values[at]) * x.values[at + static_cast<std::size_t>(features)]);
            }
            check_close(call.output(), wanted);
        }
    }
}

TEST_CASE("cast keeps what both types can hold") {
    if (!has_gpu()) return;
    Harness harness;
    const std::vector<DType> all{DType::f32, DType::f16, DType::bf16, DType::i32, DType::i64, DType::u8};
    for (const DType from : all) {
        for (const DType to : all) {
            const Tensor x = random_integers(from, {1, 777}, 256);
            Call call(OperatorKind::cast, {x}, {}, {poisoned(to, {1, 777})});
            harness.run(call);
            INFO(to_string(from) << " to " << to_string(to));
            CHECK((call.output().values == x.values));
        }
    }
}

TEST_CASE("cast rounds to the nearest") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType to : {DType::f16, DType::bf16}) {
        const Tensor x = random_tensor(DType::f32, {4097}, 9);
        Call call(OperatorKind::cast, {x}, {}, {poisoned(to, {4097})});
        harness.run(call);
        CHECK((call.output().values == of_values(to, x.shape, x.values).values));
    }
}

}  // namespace graphplan::cuda_test
