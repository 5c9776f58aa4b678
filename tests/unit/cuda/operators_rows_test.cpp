#include "operators_harness.hpp"

namespace graphplan::cuda_test {
namespace {

std::vector<double> row_of(const Tensor& x, std::int64_t row) {
    const auto width = static_cast<std::ptrdiff_t>(x.shape.back());
    const auto start = x.values.begin() + row * width;
    return {start, start + width};
}

void append(std::vector<double>& to, const std::vector<double>& row) {
    to.insert(to.end(), row.begin(), row.end());
}

}  // namespace

TEST_CASE("embedding looks rows up, and gives zeros for an id that the table lacks") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType dtype : kFloats) {
        for (const std::int64_t features : {1, 3, 64, 1000, 4096}) {
            for (const DType index : {DType::i32, DType::i64}) {
                const std::int64_t table_rows = 37;
                Tensor ids = random_integers(index, {21}, table_rows);
                ids.values[4] = -1;
                ids.values[9] = table_rows;
                const Tensor table = random_tensor(dtype, {table_rows, features});
                Call call(OperatorKind::embedding, {ids}, {table}, {poisoned(dtype, {21, features})});
                harness.run(call);
                std::vector<double> wanted;
                for (std::size_t i = 0; i < 21; ++i) {
                    const bool there = i != 4 && i != 9;
                    append(wanted, there ? row_of(table, static_cast<std::int64_t>(ids.values[i]))
                                         : std::vector<double>(static_cast<std::size_t>(features), 0.0));
                }
                CHECK((call.output().values == wanted));
            }
        }
    }
}

TEST_CASE("slice makes a piece of the last dimension dense") {
    if (!has_gpu()) return;
    Harness harness;
    const std::vector<Shape> cases{
        {6144, 4096, 1024}, {15, 2, 7}, {64, 0, 64}, {33, 32, 1}, {1000, 504, 496}};
    for (const DType dtype : {DType::f32, DType::bf16, DType::i32, DType::i64, DType::u8}) {
        for (const Shape& one : cases) {
            const Tensor x = dtype == DType::u8 ? random_integers(dtype, {3, 5, one[0]}, 256)
                                                : random_tensor(dtype, {3, 5, one[0]}, 100);
            OperatorParameters parameters;
            parameters.offset = one[1];
            Call call(OperatorKind::slice, {x}, {}, {poisoned(dtype, {3, 5, one[2]})}, parameters);
            harness.run(call);
            std::vector<double> wanted;
            for (std::int64_t row = 0; row < 15; ++row) {
                const std::vector<double> whole = row_of(x, row);
                append(wanted, {whole.begin() + one[1], whole.begin() + one[1] + one[2]});
            }
            CHECK((call.output().values == wanted));
        }
    }
}

TEST_CASE("last_rows takes the last token of each row, zeros for a row without tokens") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType dtype : kFloats) {
        for (const std::int64_t features : {1, 77, 4096}) {
            const Tensor x = random_tensor(dtype, {50, features});
            const Tensor offsets = of_values(DType::i32, {5}, {0, 1, 20, 20, 47});
            Call call(OperatorKind::last_rows, {x, offsets}, {}, {poisoned(dtype, {4, features})});
            harness.run(call);
            std::vector<double> wanted = row_of(x, 0);
            append(wanted, row_of(x, 19));
            append(wanted, std::vector<double>(static_cast<std::size_t>(features), 0.0));
            append(wanted, row_of(x, 46));
            CHECK((call.output().values == wanted));
        }
    }
}

}  // namespace graphplan::cuda_test
