#include "graphplan/operators.hpp"

#include <functional>
#include <numeric>

namespace graphplan {

std::int64_t TensorView::elements() const noexcept {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::string_view to_string(OperatorKind kind) noexcept {
    switch (kind) {
        case OperatorKind::embedding: return "embedding";
        case OperatorKind::linear: return "linear";
        case OperatorKind::rms_norm: return "rms_norm";
        case OperatorKind::layer_norm: return "layer_norm";
        case OperatorKind::rope: return "rope";
        case OperatorKind::paged_attention: return "paged_attention";
        case OperatorKind::causal_attention: return "causal_attention";
        case OperatorKind::silu_mul: return "silu_mul";
        case OperatorKind::gelu: return "gelu";
        case OperatorKind::leaky_relu: return "leaky_relu";
        case OperatorKind::tanh: return "tanh";
        case OperatorKind::add: return "add";
        case OperatorKind::mul: return "mul";
        case OperatorKind::softmax: return "softmax";
        case OperatorKind::moe_router: return "moe_router";
        case OperatorKind::moe_experts: return "moe_experts";
        case OperatorKind::moe_combine: return "moe_combine";
        case OperatorKind::conv1d: return "conv1d";
        case OperatorKind::conv_transpose1d: return "conv_transpose1d";
        case OperatorKind::cast: return "cast";
        case OperatorKind::slice: return "slice";
        case OperatorKind::last_rows: return "last_rows";
        case OperatorKind::sample_argmax: return "sample_argmax";
        case OperatorKind::sample_top_k: return "sample_top_k";
        case OperatorKind::all_reduce: return "all_reduce";
    }
    return "unknown";
}

}  // namespace graphplan
