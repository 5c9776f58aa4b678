#include "sim/operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace graphplan::sim {
namespace {

struct Row {
    OperatorKind kind;
    std::size_t inputs_least, inputs_most;
    std::size_t weights_least, weights_most;
    std::size_t outputs;
    Work (*work)(const OperatorCall&);
};

constexpr std::array<Row, 25> kRows{{
    {OperatorKind::embedding, 1, 1, 1, 1, 1, embedding},
    {OperatorKind::linear, 1, 1, 1, 2, 1, linear},
    {OperatorKind::rms_norm, 1, 1, 1, 1, 1, norm},
    {OperatorKind::layer_norm, 1, 1, 2, 2, 1, norm},
    {OperatorKind::rope, 2, 2, 0, 0, 1, rope},
    {OperatorKind::paged_attention, 6, 6, 0, 0, 1, paged_attention},
    {OperatorKind::causal_attention, 4, 6, 0, 0, 1, causal_attention},
    {OperatorKind::silu_mul, 1, 1, 0, 0, 1, silu_mul},
    {OperatorKind::gelu, 1, 1, 0, 0, 1, elementwise},
    {OperatorKind::leaky_relu, 1, 1, 0, 0, 1, elementwise},
    {OperatorKind::tanh, 1, 1, 0, 0, 1, elementwise},
    {OperatorKind::add, 2, 2, 0, 0, 1, elementwise},
    {OperatorKind::mul, 2, 2, 0, 0, 1, elementwise},
    {OperatorKind::softmax, 1, 1, 0, 0, 1, softmax},
    {OperatorKind::moe_router, 1, 1, 1, 1, 2, moe_router},
    {OperatorKind::moe_experts, 2, 2, 2, 2, 1, moe_experts},
    {OperatorKind::moe_combine, 2, 2, 0, 0, 1, moe_combine},
    {OperatorKind::conv1d, 1, 1, 1, 2, 1, conv1d},
    {OperatorKind::conv_transpose1d, 1, 1, 1, 2, 1, conv_transpose1d},
    {OperatorKind::cast, 1, 1, 0, 0, 1, cast},
    {OperatorKind::slice, 1, 1, 0, 0, 1, slice},
    {OperatorKind::last_rows, 2, 2, 0, 0, 1, last_rows},
    {OperatorKind::sample_argmax, 1, 1, 0, 0, 1, sample_argmax},
    {OperatorKind::sample_top_k, 2, 2, 0, 0, 1, sample_top_k},
    {OperatorKind::all_reduce, 1, 1, 0, 0, 1, all_reduce},
}};

std::string describe(const std::vector<TensorView>& tensors) {
    std::string text;
    for (const TensorView& tensor : tensors) {
        text += fmt::format("{}{} [{}]", text.empty() ? "" : ", ", to_string(tensor.dtype),
                            fmt::join(tensor.shape, ", "));
    }
    return text.empty() ? "none" : text;
}

bool has_positive_shapes(const std::vector<TensorView>& tensors) {
    return std::all_of(tensors.begin(), tensors.end(), [](const TensorView& tensor) {
        return std::all_of(tensor.shape.begin(), tensor.shape.end(), [](std::int64_t d) { return d > 0; });
    });
}

void check_counts(const Row& row, const OperatorCall& call) {
    bool counts = call.inputs.size() >= row.inputs_least && call.inputs.size() <= row.inputs_most &&
                  call.weights.size() >= row.weights_least && call.weights.size() <= row.weights_most &&
                  call.outputs.size() == row.outputs;
    require(counts, call,
            fmt::format("takes {} to {} inputs, {} to {} weights and {} outputs", row.inputs_least,
                        row.inputs_most, row.weights_least, row.weights_most, row.outputs));
    require(has_positive_shapes(call.inputs) && has_positive_shapes(call.weights) &&
                has_positive_shapes(call.outputs),
            call, "takes tensors with dimensions of at least 1");
}

Bytes bytes_of(const std::vector<TensorView>& tensors) {
    Bytes sum = 0;
    for (const TensorView& tensor : tensors) sum += tensor.bytes();
    return sum;
}

}  // namespace

Work work_of(const OperatorCall& call) {
    const auto* row = std::find_if(kRows.begin(), kRows.end(),
                                   [&](const Row& candidate) { return candidate.kind == call.kind; });
    if (row == kRows.end()) {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("there is no operator number {}", static_cast<int>(call.kind)));
    }
    check_counts(*row, call);
    return row->work(call);
}

double duration_us(const Work& work, const OperatorCall& call, const SimProfile& profile) {
    bool tensor_cores =
        !call.inputs.empty() && (call.inputs[0].dtype == DType::f16 || call.inputs[0].dtype == DType::bf16);
    double rate = tensor_cores ? profile.flops_16bit : profile.flops_f32;
    return 1e6 * std::max(static_cast<double>(work.bytes) / profile.bytes_per_second, work.flops / rate);
}

void require(bool holds, const OperatorCall& call, std::string_view rule) {
    if (holds) return;
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} {}; found inputs {}; weights {}; outputs {}", to_string(call.kind), rule,
                            describe(call.inputs), describe(call.weights), describe(call.outputs)));
}

Work streaming(const OperatorCall& call) {
    Work work;
    work.bytes = bytes_of(call.inputs) + bytes_of(call.weights) + bytes_of(call.outputs);
    return work;
}

bool is_float(DType dtype) noexcept {
    return dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16;
}

bool is_index(DType dtype) noexcept { return dtype == DType::i32 || dtype == DType::i64; }

std::int64_t last(const TensorView& tensor) { return tensor.shape.empty() ? 1 : tensor.shape.back(); }

}  // namespace graphplan::sim
