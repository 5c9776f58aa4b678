#include "cuda/operators/attention.hpp"

#include <algorithm>
#include <limits>

#include "cuda/kernels/kernels.hpp"
#include "cuda/operators/check_call.hpp"

namespace graphplan::cuda {
namespace {

void check_heads(const OperatorCall& call) {
    const TensorView& q = call.inputs[0];
    const TensorView& k = call.inputs[1];
    const TensorView& v = call.inputs[2];
    expect(q.shape.size() == 3 && k.shape.size() == 3 && k.shape == v.shape && q.shape[0] == k.shape[0] &&
               q.shape[2] == k.shape[2] && q.shape[1] % k.shape[1] == 0,
           call, "takes q [tokens, heads, d], k and v [tokens, kv_heads, d], kv_heads dividing heads");
    expect(is_float(q.dtype) && k.dtype == q.dtype && v.dtype == q.dtype &&
               call.outputs[0].dtype == q.dtype && call.outputs[0].elements() == q.elements(),
           call, "takes q, k and v of one floating-point type and gives q's shape");
    expect(q.shape[0] <= std::numeric_limits<std::int32_t>::max() && k.shape[1] <= 4096, call,
           "takes at most 2^31 - 1 tokens and 4096 kv heads");
}

void check_cache(const OperatorCall& call, const TensorView& cache, const TensorView& table) {
    const TensorView& k = call.inputs[1];
    expect(cache.shape.size() == 6 && cache.dtype == k.dtype && cache.shape[1] == 2 &&
               cache.shape[3] == call.parameters.page_tokens && cache.shape[4] == k.shape[1] &&
               cache.shape[5] == k.shape[2] && call.parameters.layer >= 0 &&
               call.parameters.layer < cache.shape[0],
           call, "takes a cache [layers, 2, pages, page_tokens, kv_heads, d] of k's type that has the layer");
    expect(table.shape.size() == 2 && is_index(table.dtype), call,
           "takes a page table [rows, pages] of i32 or i64");
}

// Which kernels take a call; what these can't must be refused before the cache is written.
bool on_tensor_cores(const OperatorCall& call) {
    const bool fits = kernels::fits_tensor_cores(call);
    if (!fits) kernels::check_attention_plain(call);
    if (fits && call.kind == OperatorKind::causal_attention) kernels::check_prefill(call);
    return fits;
}

// Blocks for about two waves of an H100's or H200's 132 processors with two blocks each. What a block would
// read at most decides too; the kernels leave the parts of a short context empty.
std::int64_t splits_of(const OperatorCall& call) {
    constexpr std::int64_t wanted_blocks = 512;
    constexpr std::int64_t most_splits = 64;
    constexpr std::int64_t least_keys = 64;
    const std::int64_t blocks = call.inputs[1].shape[0] * call.inputs[1].shape[1];
    const std::int64_t capacity = call.inputs[4].shape[1] * call.parameters.page_tokens;
    const std::int64_t most = std::min(most_splits, (capacity + least_keys - 1) / least_keys);
    return std::clamp<std::int64_t>((wanted_blocks + blocks - 1) / blocks, 1,
                                    std::max<std::int64_t>(most, 1));
}

}  // namespace

void paged_attention(const OperatorCall& call, Scratch& scratch, cudaStream_t stream) {
    check_heads(call);
    check_cache(call, call.inputs[3], call.inputs[4]);
    const std::int64_t tokens = call.inputs[0].shape[0];
    expect(tokens <= 65535 && call.inputs[0].shape[1] <= 65535, call,
           "takes at most 65535 tokens and heads, as a grid does");
    expect(call.inputs[4].shape[0] == tokens && is_index(call.inputs[5].dtype) &&
               call.inputs[5].elements() == tokens,
           call, "takes a row of the page table and a position for each token");
    const bool tensor_cores = on_tensor_cores(call);
    const std::int64_t splits = splits_of(call);
    const Address partials = splits == 1 ? 0 : scratch.temporary(kernels::partial_bytes(call, splits));
    kernels::write_cache(call, stream);
    if (tensor_cores) {
        kernels::paged_attention(call, splits, partials, stream);
    } else {
        kernels::paged_attention_plain(call, splits, partials, stream);
    }
    if (splits > 1) kernels::merge_partials(call, splits, partials, stream);
}

void causal_attention(const OperatorCall& call, Scratch&, cudaStream_t stream) {
    check_heads(call);
    const TensorView& offsets = call.inputs[3];
    expect(is_index(offsets.dtype) && offsets.elements() >= 2, call, "takes row offsets [rows + 1]");
    expect(call.inputs.size() != 5, call, "takes a cache together with its page table");
    if (call.inputs.size() == 6) {
        check_cache(call, call.inputs[4], call.inputs[5]);
        expect(call.inputs[5].shape[0] == offsets.elements() - 1, call,
               "takes a row of the page table for each row");
    }
    const bool tensor_cores = on_tensor_cores(call);
    if (call.inputs.size() == 6) kernels::write_cache(call, stream);
    if (tensor_cores) {
        kernels::causal_attention(call, stream);
    } else {
        kernels::causal_attention_plain(call, stream);
    }
}

}  // namespace graphplan::cuda
