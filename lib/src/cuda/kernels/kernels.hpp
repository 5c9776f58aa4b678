// Our own kernels, one function an operator or a step of one. Those of an operator check its operands, launch
// and return; a step's operands are checked before the first step, since a refused call enqueues nothing.
// None allocates or waits, so that all of them capture.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "graphplan/operators.hpp"

namespace graphplan::cuda::kernels {

// elementwise.cu
void gelu(const OperatorCall& call, cudaStream_t stream);  ///< exact, by erf
void leaky_relu(const OperatorCall& call, cudaStream_t stream);
void tanh(const OperatorCall& call, cudaStream_t stream);
void add(const OperatorCall& call, cudaStream_t stream);
void mul(const OperatorCall& call, cudaStream_t stream);
void silu_mul(const OperatorCall& call, cudaStream_t stream);  ///< silu of the first half × the second
void cast(const OperatorCall& call, cudaStream_t stream);

// rows.cu: rows of memory from here to there
/// An id outside of the table gives a row of zeros.
void embedding(const OperatorCall& call, cudaStream_t stream);
void slice(const OperatorCall& call, cudaStream_t stream);
/// A row without tokens gives zeros.
void last_rows(const OperatorCall& call, cudaStream_t stream);

// norms.cu
void rms_norm(const OperatorCall& call, cudaStream_t stream);
void layer_norm(const OperatorCall& call, cudaStream_t stream);
void softmax(const OperatorCall& call, cudaStream_t stream);

// rope.cu: the first half of a head turns with the second, as in Llama
void rope(const OperatorCall& call, cudaStream_t stream);

// sampling.cu
/// Ties go to the lowest id.
void sample_argmax(const OperatorCall& call, cudaStream_t stream);
/// Draws by Philox 4x32-10 under the state's seed at (offset, row, id), then moves the offset on by 4.
void sample_top_k(const OperatorCall& call, cudaStream_t stream);

// convolution_direct.cu
/// Both convolutions with their bias, without a library: one thread an output.
void convolution(const OperatorCall& call, cudaStream_t stream);
/// Adds bias [c] to y [b, c, l] in place.
void add_channel_bias(const TensorView& y, const TensorView& bias, cudaStream_t stream);

// attention_cache.cu
/// Writes k and v of each token of an attention call into the cache, [layers, 2, pages, page_tokens,
/// kv_heads, d]: at its position where the call has positions, else at its index in its row.
void write_cache(const OperatorCall& call, cudaStream_t stream);

// attention_decode.cu, attention_prefill.cu: tensor cores, 16-bit types
/// Whether the tensor-core kernels take this call; else the plain ones do.
bool fits_tensor_cores(const OperatorCall& call);
/// @throws Error invalid_argument for a causal_attention with more tiles than a grid has
void check_prefill(const OperatorCall& call);
/// The contexts are read in `splits` parts each; `partials` holds partial_bytes() if there are several.
void paged_attention(const OperatorCall& call, std::int64_t splits, Address partials, cudaStream_t stream);
void causal_attention(const OperatorCall& call, cudaStream_t stream);

// attention_plain.cu
/// @throws Error invalid_argument for heads that shared memory is too small for
void check_attention_plain(const OperatorCall& call);
void paged_attention_plain(const OperatorCall& call, std::int64_t splits, Address partials,
                           cudaStream_t stream);
void causal_attention_plain(const OperatorCall& call, cudaStream_t stream);
Bytes partial_bytes(const OperatorCall& call, std::int64_t splits);
/// Puts the parts of each context together.
void merge_partials(const OperatorCall& call, std::int64_t splits, Address partials, cudaStream_t stream);

// experts.cu
constexpr std::int64_t kMostExperts = 2048;
/// Softmax over the logits [t, experts] f32, the largest k, their weights made to sum to 1.
void pick_experts(const OperatorCall& call, Address logits, cudaStream_t stream);
void moe_combine(const OperatorCall& call, cudaStream_t stream);

/// Token-expert pairs sorted by expert and cut into tiles of at most `tile_rows` pairs of one expert.
/// Its memory is of a size that only the shapes tell, so that the call captures.
struct ExpertTiles {
    std::int64_t pairs = 0, experts = 0, tile_rows = 0;
    Address memory = 0;
    std::int64_t most_tiles() const noexcept {
        return pairs / tile_rows + (experts < pairs ? experts : pairs);
    }
    Bytes bytes() const noexcept { return (1 + pairs + 3 * most_tiles()) * 4; }
};
void sort_by_expert(const TensorView& ids, const ExpertTiles& tiles, cudaStream_t stream);

// experts_gemm.cu on tensor cores, experts_plain.cu without
/// x [t, h] of each pair through gate_up [e, 2f, h] and silu_mul → hidden [pairs, f], sorted; hidden
/// through down [e, h, f] → out [t, k, h].
void run_experts(const OperatorCall& call, const ExpertTiles& tiles, Address hidden, cudaStream_t stream);
void run_experts_plain(const OperatorCall& call, const ExpertTiles& tiles, Address hidden,
                       cudaStream_t stream);

}  // namespace graphplan::cuda::kernels
