#include <algorithm>
#include <cmath>
#include <set>

#include "operators_harness.hpp"

namespace graphplan::cuda_test {
namespace {

Call top_k_call(const Tensor& logits, std::int64_t k, double temperature, double seed, double offset) {
    OperatorParameters parameters;
    parameters.top_k = k;
    parameters.temperature = temperature;
    return Call(OperatorKind::sample_top_k, {logits, of_values(DType::i64, {2}, {seed, offset})}, {},
                {poisoned(DType::i32, {logits.shape[0]})}, parameters);
}

// Equal rows, so that the ids of one call are as many draws.
Tensor equal_rows(DType dtype, std::int64_t rows, const std::vector<double>& row) {
    std::vector<double> all;
    for (std::int64_t i = 0; i < rows; ++i) all.insert(all.end(), row.begin(), row.end());
    return of_values(dtype, {rows, static_cast<std::int64_t>(row.size())}, all);
}

}  // namespace

TEST_CASE("sample_argmax takes the first of the largest") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType dtype : kFloats) {
        for (const std::int64_t vocabulary : {1, 3, 1000, 1023, 128256}) {
            const Tensor logits = random_tensor(dtype, {5, vocabulary}, 8);
            Call call(OperatorKind::sample_argmax, {logits}, {}, {poisoned(DType::i32, {5})});
            harness.run(call);
            std::vector<double> wanted;
            for (std::int64_t row = 0; row < 5; ++row) {
                const auto start = logits.values.begin() + row * vocabulary;
                wanted.push_back(static_cast<double>(std::max_element(start, start + vocabulary) - start));
            }
            CHECK((call.output().values == wanted));
        }
    }
}

TEST_CASE("sample_top_k with k of 1 is the argmax, and moves its state on") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType dtype : kFloats) {
        const Tensor logits = random_tensor(dtype, {6, 5003}, 8);
        Call greedy(OperatorKind::sample_argmax, {logits}, {}, {poisoned(DType::i32, {6})});
        Call call = top_k_call(logits, 1, 0.7, 11, 40);
        harness.run(greedy);
        harness.run(call);
        CHECK((call.output().values == greedy.output().values));
        CHECK((call.input(1).values == std::vector<double>{11, 44}));
    }
}

TEST_CASE("sample_top_k draws only from the k largest, and from all of them") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType dtype : kFloats) {
        std::vector<double> row = random_tensor(dtype, {700}, 3).values;
        const Tensor logits = equal_rows(dtype, 4000, row);
        std::vector<std::size_t> order(row.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });
        for (const std::size_t k : {2, 13, 100}) {
            Call call = top_k_call(logits, static_cast<std::int64_t>(k), 2.0, 5, 0);
            harness.run(call);
            const std::vector<double> drawn = call.output().values;
            const std::set<double> got(drawn.begin(), drawn.end());
            const std::set<double> allowed(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k));
            CHECK(std::includes(allowed.begin(), allowed.end(), got.begin(), got.end()));
            if (k < 20) CHECK(got == allowed);
        }
    }
}

TEST_CASE("sample_top_k draws by the softmax at its temperature") {
    if (!has_gpu()) return;
    Harness harness;
    const std::vector<double> row{1.0, -4.0, 2.0, 0.5, 1.5, -3.0};
    const std::vector<double> wanted_logits{2.0, 1.5, 1.0, 0.5};
    const std::vector<double> ids{2, 4, 0, 3};
    const double rows = 60000;
    const double temperature = 0.8;
    double sum = 0;
    for (const double logit : wanted_logits) sum += std::exp(logit / temperature);
    Call call =
        top_k_call(equal_rows(DType::f32, static_cast<std::int64_t>(rows), row), 4, temperature, 1234567, 8);
    harness.run(call);
    const std::vector<double> drawn = call.output().values;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const double share = std::exp(wanted_logits[i] / temperature) / sum;
        const auto count = static_cast<double>(std::count(drawn.begin(), drawn.end(), ids[i]));
        CHECK(std::abs(count - rows * share) < 5 * std::sqrt(rows * share * (1 - share)));
    }
}

TEST_CASE("sample_top_k repeats itself under the same state, and not under another") {
    if (!has_gpu()) return;
    Harness harness;
    const Tensor logits = random_tensor(DType::bf16, {200, 5000}, 1);
    const auto draw = [&](double seed, double offset) {
        Call call = top_k_call(logits, 50, 1.0, seed, offset);
        harness.run(call);
        return call.output().values;
    };
    const std::vector<double> first = draw(9, 4);
    CHECK(draw(9, 4) == first);
    CHECK(draw(9, 8) != first);
    CHECK(draw(10, 4) != first);
}

}  // namespace graphplan::cuda_test
