#include <algorithm>
#include <cmath>

#include "cuda/kernels/kernels.hpp"
#include "cuda/operators/convolutions.hpp"
#include "operators_harness.hpp"

namespace graphplan::cuda_test {
namespace {

struct Case {
    std::int64_t batch, in, length, out, kernel, stride, padding, dilation, groups;
};

const std::vector<Case> kCases{{2, 16, 100, 32, 7, 1, 3, 1, 1}, {1, 3, 17, 5, 3, 2, 1, 1, 1},
                               {1, 12, 50, 8, 3, 1, 4, 3, 4},   {3, 64, 33, 1, 1, 1, 0, 1, 1},
                               {1, 32, 40, 16, 16, 8, 4, 1, 1}, {2, 6, 29, 6, 5, 1, 2, 1, 6}};

std::int64_t length_of(const Case& c, bool transposed) {
    const std::int64_t reach = c.dilation * (c.kernel - 1);
    return transposed ? (c.length - 1) * c.stride - 2 * c.padding + reach + 1
                      : (c.length + 2 * c.padding - reach - 1) / c.stride + 1;
}

// Adds every product to where it belongs.
std::vector<double> convolve(const Case& c, bool transposed, const Tensor& x, const Tensor& weight,
                             const Tensor& bias) {
    const std::int64_t length = length_of(c, transposed);
    const std::int64_t in = c.in / c.groups;
    const std::int64_t out = c.out / c.groups;
    std::vector<double> y(static_cast<std::size_t>(c.batch * c.out * length));
    for (std::size_t i = 0; i < y.size(); ++i) {
        y[i] = bias.values[i / static_cast<std::size_t>(length) % static_cast<std::size_t>(c.out)];
    }
    const auto add = [&](std::int64_t b, std::int64_t ci, std::int64_t co, std::int64_t tap,
                         std::int64_t from, std::int64_t to) {
        if (from < 0 || from >= c.length || to < 0 || to >= length) return;
        const std::int64_t w =
            transposed ? (ci * out + co % out) * c.kernel + tap : (co * in + ci % in) * c.kernel + tap;
        y[static_cast<std::size_t>((b * c.out + co) * length + to)] +=
            x.values[static_cast<std::size_t>((b * c.in + ci) * c.length + from)] *
            weight.values[static_cast<std::size_t>(w)];
    };
    for (std::int64_t b = 0; b < c.batch; ++b) {
        for (std::int64_t ci = 0; ci < c.in; ++ci) {
            for (std::int64_t co = ci / in * out; co < (ci / in + 1) * out; ++co) {
                for (std::int64_t tap = 0; tap < c.kernel; ++tap) {
                    const std::int64_t shift = tap * c.dilation - c.padding;
                    if (transposed) {
                        for (std::int64_t i = 0; i < c.length; ++i)
                            add(b, ci, co, tap, i, i * c.stride + shift);
                    } else {
                        for (std::int64_t i = 0; i < length; ++i)
                            add(b, ci, co, tap, i * c.stride + shift, i);
                    }
                }
            }
        }
    }
    return y;
}

class NoMemory final : public Scratch {
  public:
    Address temporary(Bytes) override { throw Error(ErrorCode::out_of_memory, "there is no memory"); }
    Address workspace(std::string_view, Bytes bytes) override { return temporary(bytes); }
};

/// Whether the first call of a shape asks for memory. One that gets none must have run nothing.
bool wants_memory(Harness& harness, Call& call) {
    NoMemory none;
    call.poison_outputs();
    try {
        harness.operators().run(call.call(), none, harness.stream(), false);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::out_of_memory);
        harness.synchronize();
        const std::vector<double> output = call.output().values;
        CHECK(std::all_of(output.begin(), output.end(), [](double value) { return std::isnan(value); }));
        return true;
    }
    harness.synchronize();
    return false;
}

template <typename Run>
void check_convolutions(OperatorKind kind, Run&& run) {
    const bool transposed = kind == OperatorKind::conv_transpose1d;
    for (const DType dtype : kFloats) {
        for (const Case& c : kCases) {
            const Tensor x = random_tensor(dtype, {c.batch, c.in, c.length});
            const Tensor weight = random_tensor(dtype, transposed ? Shape{c.in, c.out / c.groups, c.kernel}
                                                                  : Shape{c.out, c.in / c.groups, c.kernel});
            const Tensor bias = random_tensor(dtype, {c.out}, 3);
            OperatorParameters p;
            p.stride = c.stride;
            p.padding = c.padding;
            p.dilation = c.dilation;
            p.groups = c.groups;
            Call call(kind, {x}, {weight, bias},
                      {poisoned(dtype, {c.batch, c.out, length_of(c, transposed)})}, p);
            run(call);
            INFO(to_string(kind) << " " << c.in << " to " << c.out << " channels, kernel " << c.kernel
                                 << ", groups " << c.groups);
            check_close(call.output(), convolve(c, transposed, x, weight, bias));
        }
    }
}

}  // namespace

TEST_CASE("convolutions are torch's") {
    if (!has_gpu()) return;
    Harness harness;
    for (const OperatorKind kind : {OperatorKind::conv1d, OperatorKind::conv_transpose1d}) {
        check_convolutions(kind, [&](Call& call) { harness.run(call); });
    }
}

TEST_CASE("convolutions need no library") {
    if (!has_gpu()) return;
    Harness harness;
    for (const OperatorKind kind : {OperatorKind::conv1d, OperatorKind::conv_transpose1d}) {
        check_convolutions(kind, [&](Call& call) {
            cuda::kernels::convolution(call.call(), harness.stream());
            harness.synchronize();
            call.check_guards();
        });
    }
}

TEST_CASE("a convolution's first call takes its memory from the scratch alone") {
    if (!has_gpu()) return;
    if (!cuda::cudnn_version()) return;
    Harness harness;
    int wanting = 0;
    for (const OperatorKind kind : {OperatorKind::conv1d, OperatorKind::conv_transpose1d}) {
        check_convolutions(kind, [&](Call& call) {
            wanting += wants_memory(harness, call) ? 1 : 0;
            harness.run(call);
        });
    }
    CHECK(wanting > 0);
}

TEST_CASE("a convolution wants the same memory at each call") {
    if (!has_gpu()) return;
    Harness harness;
    OperatorParameters p;
    p.padding = 3;
    Call call(OperatorKind::conv1d, {random_tensor(DType::bf16, {4, 64, 500})},
              {random_tensor(DType::bf16, {64, 64, 7})}, {poisoned(DType::bf16, {4, 64, 500})}, p);
    harness.enqueue(call, false);
    const std::vector<Bytes> first = harness.scratch().sizes();
    harness.synchronize();
    harness.scratch().finish_call();
    harness.enqueue(call, false);
    CHECK(harness.scratch().sizes() == first);
    harness.synchronize();
}

}  // namespace graphplan::cuda_test
