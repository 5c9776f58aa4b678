#include <algorithm>
#include <cmath>
#include <numeric>

#include "operators_harness.hpp"

namespace graphplan::cuda_test {
namespace {

using Vector = std::vector<double>;

double dot(const double* a, const double* b, std::int64_t size) {
    return std::inner_product(a, a + size, b, 0.0);
}

// Checks the router's picks by their logits: equal ones may come in either order.
void check_router(Harness& harness, DType dtype, std::int64_t tokens, std::int64_t experts, std::int64_t h,
                  std::int64_t k) {
    const Tensor x = random_tensor(dtype, {tokens, h}, 2);
    const Tensor weight = random_tensor(dtype, {experts, h});
    OperatorParameters parameters;
    parameters.top_k = k;
    Call call(OperatorKind::moe_router, {x}, {weight},
              {poisoned(DType::f32, {tokens, k}), poisoned(DType::i32, {tokens, k})}, parameters);
    harness.run(call);
    const Tensor weights = call.output(0);
    const Tensor ids = call.output(1);
    Vector wanted;
    for (std::int64_t token = 0; token < tokens; ++token) {
        Vector logits;
        for (std::int64_t e = 0; e < experts; ++e)
            logits.push_back(dot(x.values.data() + token * h, weight.values.data() + e * h, h));
        Vector sorted = logits;
        std::sort(sorted.rbegin(), sorted.rend());
        double sum = 0;
        for (std::int64_t i = 0; i < k; ++i) sum += std::exp(sorted[static_cast<std::size_t>(i)] - sorted[0]);
        for (std::int64_t i = 0; i < k; ++i) {
            const auto at = static_cast<std::size_t>(token * k + i);
            REQUIRE(ids.values[at] >= 0);
            REQUIRE(ids.values[at] < static_cast<double>(experts));
            const double picked = logits[static_cast<std::size_t>(ids.values[at])];
            CHECK(std::abs(picked - sorted[static_cast<std::size_t>(i)]) < 1e-4);
            wanted.push_back(std::exp(sorted[static_cast<std::size_t>(i)] - sorted[0]) / sum);
        }
    }
    check_close(weights, wanted);
}

struct Experts {
    std::int64_t tokens, k, experts, h, features;
};

Vector expert_rows(const Experts& s, const Tensor& x, const Tensor& ids, const Tensor& gate_up,
                   const Tensor& down) {
    Vector result;
    for (std::int64_t pair = 0; pair < s.tokens * s.k; ++pair) {
        const auto expert = static_cast<std::int64_t>(ids.values[static_cast<std::size_t>(pair)]);
        const double* row = x.values.data() + pair / s.k * s.h;
        const double* first = gate_up.values.data() + expert * 2 * s.features * s.h;
        Vector hidden;
        for (std::int64_t f = 0; f < s.features; ++f) {
            const double gate = dot(row, first + f * s.h, s.h);
            const double up = dot(row, first + (s.features + f) * s.h, s.h);
            hidden.push_back(gate / (1 + std::exp(-gate)) * up);
        }
        for (std::int64_t i = 0; i < s.h; ++i) {
            result.push_back(
                dot(hidden.data(), down.values.data() + (expert * s.h + i) * s.features, s.features));
        }
    }
    return result;
}

}  // namespace

TEST_CASE("moe_router picks the experts of the largest logits and weighs them to 1") {
    if (!has_gpu()) return;
    Harness harness;
    check_router(harness, DType::f32, 33, 8, 128, 2);
    check_router(harness, DType::f32, 5, 129, 77, 9);
    check_router(harness, DType::bf16, 64, 8, 64, 2);
    check_router(harness, DType::f16, 3, 60, 40, 4);
    check_router(harness, DType::f32, 2, 3, 16, 3);
}

TEST_CASE("moe_experts runs each token through the experts it is given") {
    if (!has_gpu()) return;
    Harness harness;
    const std::vector<Experts> all{{1, 2, 8, 64, 128}, {9, 2, 8, 72, 40},    {150, 2, 8, 128, 192},
                                   {70, 1, 1, 64, 64}, {300, 2, 4, 64, 136}, {17, 3, 5, 37, 23},
                                   {5, 2, 300, 16, 24}};
    for (const DType dtype : kFloats) {
        for (const Experts& s : all) {
            const Tensor x = random_tensor(dtype, {s.tokens, s.h}, 2);
            const Tensor ids = random_integers(DType::i32, {s.tokens, s.k}, s.experts);
            const Tensor gate_up = random_tensor(dtype, {s.experts, 2 * s.features, s.h}, 0.3);
            const Tensor down = random_tensor(dtype, {s.experts, s.h, s.features});
            Call call(OperatorKind::moe_experts, {x, ids}, {gate_up, down},
                      {poisoned(dtype, {s.tokens, s.k, s.h})});
            harness.run(call);
            INFO(s.tokens << " tokens, " << s.k << " of " << s.experts << " experts, " << s.h << " x "
                          << s.features);
            check_close(call.output(), expert_rows(s, x, ids, gate_up, down));
        }
    }
}

TEST_CASE("moe_combine sums a token's rows by their weights") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType dtype : kFloats) {
        for (const std::int64_t h : {1, 33, 4096}) {
            for (const DType weight_type : {DType::f32, dtype}) {
                const Tensor x = random_tensor(dtype, {7, 3, h});
                const Tensor weights = random_tensor(weight_type, {7, 3});
                Call call(OperatorKind::moe_combine, {x, weights}, {}, {poisoned(dtype, {7, h})});
                harness.run(call);
                Vector wanted(static_cast<std::size_t>(7 * h), 0.0);
                for (std::int64_t i = 0; i < 7 * 3 * h; ++i) {
                    wanted[static_cast<std::size_t>(i / (3 * h) * h + i % h)] +=
                        x.values[static_cast<std::size_t>(i)] *
                        weights.values[static_cast<std::size_t>(i / h)];
                }
                check_close(call.output(), wanted);
            }
        }
    }
}

}  // namespace graphplan::cuda_test
