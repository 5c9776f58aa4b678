#include <algorithm>

#include "sim/operators.hpp"

namespace graphplan::sim {

// Two kernels: the logits by cuBLASLt, then softmax and top-k in one.
Work moe_router(const OperatorCall& call) {
    const TensorView& x = call.inputs[0];
    const TensorView& weight = call.weights[0];
    const TensorView& weights = call.outputs[0];
    const TensorView& ids = call.outputs[1];
    require(is_float(x.dtype) && x.shape.size() == 2 && weight.shape.size() == 2 && weight.dtype == x.dtype &&
                weight.shape[1] == x.shape[1],
            call, "takes x [tokens, h] and weight [experts, h] of one floating-point type");
    std::int64_t top_k = call.parameters.top_k;
    require(top_k >= 1 && top_k <= weight.shape[0], call, "takes a top_k from 1 to the count of experts");
    require(weights.dtype == DType::f32 && ids.dtype == DType::i32 && ids.shape == weights.shape &&
                ids.elements() == x.shape[0] * top_k,
            call, "gives weights f32 and ids i32, both [tokens, top_k]");
    Bytes logits = x.shape[0] * weight.shape[0] * size_of(DType::f32);
    Work work = streaming(call);
    work.kernels = 2;
    work.bytes += 2 * logits;
    work.flops = 2.0 * static_cast<double>(x.elements()) * static_cast<double>(weight.shape[0]);
    work.temporaries = {logits};
    work.matrix_library = true;
    return work;
}

namespace {

/// Room to sort (token, expert) pairs by expert and to cut them into tiles of one expert each: small ones
/// where an expert has few pairs.
Bytes sorting_bytes(std::int64_t pairs, std::int64_t experts, bool tensor_cores) {
    std::int64_t rows = 64;
    if (tensor_cores && pairs <= 20 * experts) rows = 32;
    if (tensor_cores && pairs > 64 * experts) rows = 128;
    std::int64_t tiles = pairs / rows + std::min(experts, pairs);
    return (1 + pairs + 3 * tiles) * size_of(DType::i32);
}

}  // namespace

// Three kernels: the sort, a grouped product for gate and up with silu_mul at its end, one for down that
// scatters back.
Work moe_experts(const OperatorCall& call) {
    const TensorView& x = call.inputs[0];
    const TensorView& ids = call.inputs[1];
    const TensorView& gate_up = call.weights[0];
    const TensorView& down = call.weights[1];
    const TensorView& out = call.outputs[0];
    require(is_float(x.dtype) && x.shape.size() == 2 && ids.shape.size() == 2 && is_index(ids.dtype) &&
                ids.shape[0] == x.shape[0],
            call, "takes x [tokens, h] and ids [tokens, top_k]");
    require(gate_up.shape.size() == 3 && down.shape.size() == 3 && gate_up.dtype == x.dtype &&
                down.dtype == x.dtype && gate_up.shape[0] == down.shape[0] &&
                gate_up.shape[1] == 2 * down.shape[2] && gate_up.shape[2] == x.shape[1] &&
                down.shape[1] == x.shape[1],
            call, "takes gate_up [experts, 2f, h] and down [experts, h, f] of x's dtype");
    require(out.dtype == x.dtype && out.elements() == ids.elements() * x.shape[1], call,
            "gives [tokens, top_k, h] of x's dtype");

    std::int64_t pairs = ids.elements();
    std::int64_t experts = gate_up.shape[0];
    std::int64_t features = down.shape[2];
    bool tensor_cores = x.dtype != DType::f32 && last(gate_up) % 8 == 0 && last(down) % 8 == 0;
    Work work;
    work.kernels = 3;
    work.temporaries = {sorting_bytes(pairs, experts, tensor_cores), pairs * features * size_of(x.dtype)};
    Bytes weights = (gate_up.bytes() + down.bytes()) / experts * std::min(experts, pairs);
    work.bytes = x.bytes() + ids.bytes() + weights + out.bytes();
    for (Bytes temporary : work.temporaries) work.bytes += 2 * temporary;
    work.flops = 6.0 * static_cast<double>(pairs * features) * static_cast<double>(x.shape[1]);
    return work;
}

Work moe_combine(const OperatorCall& call) {
    const TensorView& x = call.inputs[0];
    const TensorView& weights = call.inputs[1];
    const TensorView& out = call.outputs[0];
    require(is_float(x.dtype) && x.shape.size() == 3 && weights.shape.size() == 2 &&
                weights.shape[0] == x.shape[0] && weights.shape[1] == x.shape[1],
            call, "takes x [tokens, top_k, h] and weights [tokens, top_k]");
    require(out.dtype == x.dtype && out.elements() == x.shape[0] * x.shape[2], call, "gives [tokens, h]");
    return streaming(call);
}

}  // namespace graphplan::sim
