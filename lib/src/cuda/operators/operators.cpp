#include "cuda/operators/operators.hpp"

#include <fmt/format.h>

#include "cuda/kernels/kernels.hpp"
#include "cuda/operators/attention.hpp"
#include "cuda/operators/check_call.hpp"
#include "cuda/operators/experts.hpp"

namespace graphplan::cuda {

void Operators::run(const OperatorCall& call, Scratch& scratch, cudaStream_t stream, bool capturing) {
    check_operands(call);
    switch (call.kind) {
        case OperatorKind::embedding: return kernels::embedding(call, stream);
        case OperatorKind::linear: return linear_.run(call, scratch, stream, capturing);
        case OperatorKind::rms_norm: return kernels::rms_norm(call, stream);
        case OperatorKind::layer_norm: return kernels::layer_norm(call, stream);
        case OperatorKind::rope: return kernels::rope(call, stream);
        case OperatorKind::paged_attention: return paged_attention(call, scratch, stream);
        case OperatorKind::causal_attention: return causal_attention(call, scratch, stream);
        case OperatorKind::silu_mul: return kernels::silu_mul(call, stream);
        case OperatorKind::gelu: return kernels::gelu(call, stream);
        case OperatorKind::leaky_relu: return kernels::leaky_relu(call, stream);
        case OperatorKind::tanh: return kernels::tanh(call, stream);
        case OperatorKind::add: return kernels::add(call, stream);
        case OperatorKind::mul: return kernels::mul(call, stream);
        case OperatorKind::softmax: return kernels::softmax(call, stream);
        case OperatorKind::moe_router: return moe_router(call, linear_, scratch, stream, capturing);
        case OperatorKind::moe_experts: return moe_experts(call, scratch, stream);
        case OperatorKind::moe_combine: return kernels::moe_combine(call, stream);
        case OperatorKind::conv1d:
        case OperatorKind::conv_transpose1d: return convolutions_.run(call, scratch, stream, capturing);
        case OperatorKind::cast: return kernels::cast(call, stream);
        case OperatorKind::slice: return kernels::slice(call, stream);
        case OperatorKind::last_rows: return kernels::last_rows(call, stream);
        case OperatorKind::sample_argmax: return kernels::sample_argmax(call, stream);
        case OperatorKind::sample_top_k: return kernels::sample_top_k(call, stream);
        case OperatorKind::all_reduce: return collectives_.all_reduce(call, stream);
    }
    throw Error(ErrorCode::invalid_argument,
                fmt::format("there is no operator number {}", static_cast<int>(call.kind)));
}

}  // namespace graphplan::cuda
