#include <algorithm>
#include <cmath>

#include "operators_harness.hpp"

namespace graphplan::cuda_test {
namespace {

using Row = std::vector<double>;

void check_rows(OperatorKind kind, std::size_t weights, double scale,
                const std::function<void(Row&, const std::vector<Tensor>&)>& apply) {
    Harness harness;
    for (const DType dtype : kFloats) {
        for (const std::int64_t d : {1, 3, 64, 100, 4096, 4104, 20011}) {
            const Tensor x = random_tensor(dtype, {2, 3, d}, scale);
            std::vector<Tensor> parameters;
            for (std::size_t i = 0; i < weights; ++i) parameters.push_back(random_tensor(dtype, {d}));
            OperatorParameters numbers;
            numbers.epsilon = 1e-3;
            Call call(kind, {x}, parameters, {poisoned(dtype, x.shape)}, numbers);
            harness.run(call);
            std::vector<double> wanted;
            for (std::int64_t start = 0; start < x.elements(); start += d) {
                Row row(x.values.begin() + start, x.values.begin() + start + d);
                apply(row, parameters);
                wanted.insert(wanted.end(), row.begin(), row.end());
            }
            INFO(to_string(kind) << " over " << d);
            check_close(call.output(), wanted);
        }
    }
}

double mean(const Row& row, const std::function<double(double)>& of) {
    double sum = 0;
    for (const double x : row) sum += of(x);
    return sum / static_cast<double>(row.size());
}

}  // namespace

TEST_CASE("rms_norm divides by the root of the mean square") {
    if (!has_gpu()) return;
    check_rows(OperatorKind::rms_norm, 1, 3, [](Row& row, const std::vector<Tensor>& weights) {
        const double scale = 1 / std::sqrt(mean(row, [](double x) { return x * x; }) + 1e-3);
        for (std::size_t i = 0; i < row.size(); ++i) row[i] *= scale * weights[0].values[i];
    });
}

TEST_CASE("layer_norm takes the mean away and divides by the deviation") {
    if (!has_gpu()) return;
    check_rows(OperatorKind::layer_norm, 2, 3, [](Row& row, const std::vector<Tensor>& weights) {
        const double middle = mean(row, [](double x) { return x; });
        const double scale =
            1 / std::sqrt(mean(row, [&](double x) { return (x - middle) * (x - middle); }) + 1e-3);
        for (std::size_t i = 0; i < row.size(); ++i) {
            row[i] = (row[i] - middle) * scale * weights[0].values[i] + weights[1].values[i];
        }
    });
}

TEST_CASE("softmax holds for large values too") {
    if (!has_gpu()) return;
    for (const double scale : {1.0, 500.0}) {
        check_rows(OperatorKind::softmax, 0, scale, [](Row& row, const std::vector<Tensor>&) {
            const double most = *std::max_element(row.begin(), row.end());
            double sum = 0;
            for (double& x : row) sum += x = std::exp(x - most);
            for (double& x : row) x /= sum;
        });
    }
}

}  // namespace graphplan::cuda_test
