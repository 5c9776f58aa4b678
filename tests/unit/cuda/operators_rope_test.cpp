#include <cmath>

#include "operators_harness.hpp"

namespace graphplan::cuda_test {

TEST_CASE("rope turns the halves of each head, far positions as exactly as near ones") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType dtype : kFloats) {
        for (const Shape& shape :
             std::vector<Shape>{{5, 32, 128}, {3, 2, 6}, {1, 1, 2}, {7, 3, 80}, {2, 70, 256}}) {
            for (const DType index : {DType::i32, DType::i64}) {
                const Tensor x = random_tensor(dtype, shape);
                Tensor positions = random_integers(index, {shape[0]}, 1000000);
                positions.values[0] = 0;
                OperatorParameters parameters;
                parameters.theta = 500000;
                Call call(OperatorKind::rope, {x, positions}, {}, {poisoned(dtype, shape)}, parameters);
                harness.run(call);
                std::vector<double> wanted(x.values.size());
                const auto d = static_cast<std::size_t>(shape[2]);
                for (std::size_t i = 0; i < wanted.size(); ++i) {
                    const std::size_t column = i % (d / 2);
                    const bool low = i % d < d / 2;
                    const std::size_t other = low ? i + d / 2 : i - d / 2;
                    const double position = positions.values[i / d / static_cast<std::size_t>(shape[1])];
                    const double angle = position * std::pow(500000, -2.0 * static_cast<double>(column) /
                                                                         static_cast<double>(d));
                    wanted[i] =
                        x.values[i] * std::cos(angle) + (low ? -1 : 1) * x.values[other] * std::sin(angle);
                }
                check_close(call.output(), wanted);
            }
        }
    }
}

}  // namespace graphplan::cuda_test
