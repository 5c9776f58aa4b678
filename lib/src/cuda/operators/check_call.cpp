#include "cuda/operators/check_call.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>

namespace graphplan::cuda {
namespace {

struct Counts {
    OperatorKind kind;
    std::size_t inputs_least, inputs_most, weights_least, weights_most, outputs;
};

constexpr std::array kCounts{
    Counts{OperatorKind::embedding, 1, 1, 1, 1, 1},
    Counts{OperatorKind::linear, 1, 1, 1, 2, 1},
    Counts{OperatorKind::rms_norm, 1, 1, 1, 1, 1},
    Counts{OperatorKind::layer_norm, 1, 1, 2, 2, 1},
    Counts{OperatorKind::rope, 2, 2, 0, 0, 1},
    Counts{OperatorKind::paged_attention, 6, 6, 0, 0, 1},
    Counts{OperatorKind::causal_attention, 4, 6, 0, 0, 1},
    Counts{OperatorKind::add, 2, 2, 0, 0, 1},
    Counts{OperatorKind::mul, 2, 2, 0, 0, 1},
    Counts{OperatorKind::moe_router, 1, 1, 1, 1, 2},
    Counts{OperatorKind::moe_experts, 2, 2, 2, 2, 1},
    Counts{OperatorKind::moe_combine, 2, 2, 0, 0, 1},
    Counts{OperatorKind::conv1d, 1, 1, 1, 2, 1},
    Counts{OperatorKind::conv_transpose1d, 1, 1, 1, 2, 1},
    Counts{OperatorKind::last_rows, 2, 2, 0, 0, 1},
    Counts{OperatorKind::sample_top_k, 2, 2, 0, 0, 1},
};

// Whatever isn't in the table takes one input and gives one output.
Counts counts_of(OperatorKind kind) {
    const auto* found = std::find_if(kCounts.begin(), kCounts.end(),
                                     [&](const Counts& counts) { return counts.kind == kind; });
    return found == kCounts.end() ? Counts{kind, 1, 1, 0, 0, 1} : *found;
}

std::string describe(const std::vector<TensorView>& tensors) {
    std::string text;
    for (const TensorView& tensor : tensors) {
        text += fmt::format("{}{} [{}]", text.empty() ? "" : ", ", to_string(tensor.dtype),
                            fmt::join(tensor.shape, ", "));
    }
    return text.empty() ? "none" : text;
}

bool are_tensors(const std::vector<TensorView>& tensors) {
    return std::all_of(tensors.begin(), tensors.end(), [](const TensorView& tensor) {
        return tensor.address != 0 && std::all_of(tensor.shape.begin(), tensor.shape.end(),
                                                  [](std::int64_t size) { return size > 0; });
    });
}

}  // namespace

void check_operands(const OperatorCall& call) {
    const Counts counts = counts_of(call.kind);
    expect(call.inputs.size() >= counts.inputs_least && call.inputs.size() <= counts.inputs_most &&
               call.weights.size() >= counts.weights_least && call.weights.size() <= counts.weights_most &&
               call.outputs.size() == counts.outputs,
           call,
           fmt::format("takes {} to {} inputs, {} to {} weights and {} outputs", counts.inputs_least,
                       counts.inputs_most, counts.weights_least, counts.weights_most, counts.outputs));
    expect(are_tensors(call.inputs) && are_tensors(call.weights) && are_tensors(call.outputs), call,
           "takes tensors in device memory with dimensions of at least 1");
}

void expect(bool holds, const OperatorCall& call, std::string_view rule) {
    if (holds) return;
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} {}; found inputs {}; weights {}; outputs {}", to_string(call.kind), rule,
                            describe(call.inputs), describe(call.weights), describe(call.outputs)));
}

bool is_float(DType dtype) noexcept {
    return dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16;
}

bool is_index(DType dtype) noexcept { return dtype == DType::i32 || dtype == DType::i64; }

std::int64_t last(const TensorView& tensor) noexcept {
    return tensor.shape.empty() ? 1 : tensor.shape.back();
}

std::int64_t rows(const TensorView& tensor) noexcept { return tensor.elements() / last(tensor); }

}  // namespace graphplan::cuda
