#include "cuda/operators/experts.hpp"

#include "cuda/kernels/kernels.hpp"
#include "cuda/operators/check_call.hpp"

namespace graphplan::cuda {
namespace {

void check_experts(const OperatorCall& call) {
    const TensorView& x = call.inputs[0];
    const TensorView& ids = call.inputs[1];
    const TensorView& gate_up = call.weights[0];
    const TensorView& down = call.weights[1];
    expect(is_float(x.dtype) && x.shape.size() == 2 && ids.shape.size() == 2 && is_index(ids.dtype) &&
               ids.shape[0] == x.shape[0],
           call, "takes x [tokens, h] and ids [tokens, k] of i32 or i64");
    expect(gate_up.shape.size() == 3 && down.shape.size() == 3 && gate_up.dtype == x.dtype &&
               down.dtype == x.dtype && gate_up.shape[0] == down.shape[0] &&
               gate_up.shape[1] == 2 * down.shape[2] && gate_up.shape[2] == x.shape[1] &&
               down.shape[1] == x.shape[1],
           call, "takes gate_up [experts, 2f, h] and down [experts, h, f] of x's type");
    expect(call.outputs[0].dtype == x.dtype && call.outputs[0].elements() == ids.elements() * x.shape[1],
           call, "gives [tokens, k, h] of x's type");
    expect(gate_up.shape[0] <= kernels::kMostExperts, call, "takes at most 2048 experts");
}

// Rows are loaded 16 bytes at a time.
bool fits_tensor_cores(const OperatorCall& call) {
    const auto aligned = [](const TensorView& tensor) { return tensor.address % 16 == 0; };
    return call.inputs[0].dtype != DType::f32 && last(call.weights[0]) % 8 == 0 &&
           last(call.weights[1]) % 8 == 0 && aligned(call.inputs[0]) && aligned(call.weights[0]) &&
           aligned(call.weights[1]);
}

// Few pairs an expert: small tiles, that multiply little that isn't there.
std::int64_t tile_rows_of(std::int64_t pairs, std::int64_t experts) {
    if (pairs <= 20 * experts) return 32;
    return pairs <= 64 * experts ? 64 : 128;
}

}  // namespace

void moe_router(const OperatorCall& call, Linear& linear, Scratch& scratch, cudaStream_t stream,
                bool capturing) {
    const TensorView& x = call.inputs[0];
    const TensorView& weight = call.weights[0];
    const TensorView& weights = call.outputs[0];
    const TensorView& ids = call.outputs[1];
    const std::int64_t k = call.parameters.top_k;
    expect(is_float(x.dtype) && x.shape.size() == 2 && weight.shape.size() == 2 && weight.dtype == x.dtype &&
               weight.shape[1] == x.shape[1],
           call, "takes x [tokens, h] and weight [experts, h] of one floating-point type");
    expect(weight.shape[0] <= kernels::kMostExperts, call, "takes at most 2048 experts");
    expect(k >= 1 && k <= weight.shape[0], call, "takes a top_k from 1 to the count of experts");
    expect(weights.dtype == DType::f32 && ids.dtype == DType::i32 && weights.elements() == x.shape[0] * k &&
               ids.elements() == x.shape[0] * k,
           call, "gives weights f32 and ids i32, both [tokens, top_k]");
    const Address logits = scratch.temporary(x.shape[0] * weight.shape[0] * size_of(DType::f32));
    linear.run_to_f32(x, weight, logits, scratch, stream, capturing);
    kernels::pick_experts(call, logits, stream);
}

void moe_experts(const OperatorCall& call, Scratch& scratch, cudaStream_t stream) {
    check_experts(call);
    const TensorView& ids = call.inputs[1];
    const bool tensor_cores = fits_tensor_cores(call);
    kernels::ExpertTiles tiles;
    tiles.pairs = ids.elements();
    tiles.experts = call.weights[0].shape[0];
    tiles.tile_rows = tensor_cores ? tile_rows_of(tiles.pairs, tiles.experts) : 64;
    expect(tiles.most_tiles() <= 65535, call, "takes as many tokens as fit a grid");
    tiles.memory = scratch.temporary(tiles.bytes());
    const Address hidden =
        scratch.temporary(tiles.pairs * call.weights[1].shape[2] * size_of(call.inputs[0].dtype));
    kernels::sort_by_expert(ids, tiles, stream);
    if (tensor_cores) {
        kernels::run_experts(call, tiles, hidden, stream);
    } else {
        kernels::run_experts_plain(call, tiles, hidden, stream);
    }
}

}  // namespace graphplan::cuda
