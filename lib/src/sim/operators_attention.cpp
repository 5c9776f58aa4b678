#include <algorithm>

#include "sim/operators.hpp"

namespace graphplan::sim {
namespace {

// How long a cached row is stands in the page table's contents, which a simulation doesn't have.
constexpr std::int64_t kAssumedContext = 1024;

void check_heads(const OperatorCall& call) {
    const TensorView& q = call.inputs[0];
    const TensorView& k = call.inputs[1];
    const TensorView& v = call.inputs[2];
    require(q.shape.size() == 3 && k.shape.size() == 3 && k.shape == v.shape && q.shape[0] == k.shape[0] &&
                q.shape[2] == k.shape[2] && q.shape[1] % k.shape[1] == 0,
            call, "takes q [tokens, heads, d], k and v [tokens, kv_heads, d], kv_heads dividing heads");
    require(is_float(q.dtype) && k.dtype == q.dtype && v.dtype == q.dtype &&
                call.outputs[0].dtype == q.dtype && call.outputs[0].elements() == q.elements(),
            call, "takes q, k and v of one floating-point type and gives q's shape");
}

void check_cache(const OperatorCall& call, const TensorView& cache, const TensorView& table) {
    const TensorView& k = call.inputs[1];
    const OperatorParameters& parameters = call.parameters;
    require(cache.shape.size() == 6 && cache.dtype == k.dtype && cache.shape[1] == 2 &&
                cache.shape[3] == parameters.page_tokens && cache.shape[4] == k.shape[1] &&
                cache.shape[5] == k.shape[2],
            call, "takes a cache [layers, 2, pages, page_tokens, kv_heads, d] of k's dtype");
    require(parameters.layer >= 0 && parameters.layer < cache.shape[0], call, "takes a layer of the cache");
    require(table.shape.size() == 2 && is_index(table.dtype), call,
            "takes a page table [rows, pages] of i32 or i64");
}

/// Parts of at least 64 keys, as many as make 512 blocks of a token and key head, 64 at most.
std::int64_t parts_of_context(const TensorView& k, std::int64_t capacity) {
    std::int64_t blocks = k.shape[0] * k.shape[1];
    std::int64_t wanted = (512 + blocks - 1) / blocks;
    return std::min({wanted, (capacity + 63) / 64, std::int64_t{64}});
}

/// Multiplying q with k and the weights with v, for pairs of a query and a key.
double attention_flops(const TensorView& q, double pairs) {
    return 4.0 * pairs * static_cast<double>(q.shape[1] * q.shape[2]);
}

}  // namespace

// The new tokens go into the cache, then each attends to its row: two kernels. Where there are too few
// tokens to fill the device, the contexts are read in parts that a third kernel puts together.
Work paged_attention(const OperatorCall& call) {
    const TensorView& q = call.inputs[0];
    const TensorView& k = call.inputs[1];
    const TensorView& table = call.inputs[4];
    const TensorView& positions = call.inputs[5];
    check_heads(call);
    check_cache(call, call.inputs[3], table);
    require(table.shape[0] == q.shape[0] && is_index(positions.dtype) && positions.elements() == q.shape[0],
            call, "takes a row of the page table and a position for each token");

    std::int64_t capacity = table.shape[1] * call.parameters.page_tokens;
    std::int64_t context = std::min(capacity, kAssumedContext);
    std::int64_t parts = parts_of_context(k, capacity);
    Work work;
    work.kernels = parts > 1 ? 3 : 2;
    work.bytes = 2 * q.bytes() + 2 * (k.bytes() + call.inputs[2].bytes()) + 2 * k.bytes() * context;
    work.flops = attention_flops(q, static_cast<double>(q.shape[0] * context));
    if (parts > 1) {
        // Each part's sums, its largest weight and the sum of its weights, for every token and head.
        Bytes partials = (q.elements() + 2 * q.shape[0] * q.shape[1]) * parts * size_of(DType::f32);
        work.temporaries = {partials};
        work.bytes += 2 * partials;
    }
    return work;
}

// One kernel, and one before it where a cache is written.
Work causal_attention(const OperatorCall& call) {
    const TensorView& q = call.inputs[0];
    const TensorView& offsets = call.inputs[3];
    check_heads(call);
    require(is_index(offsets.dtype) && offsets.elements() >= 2, call, "takes row offsets [rows + 1]");
    require(call.inputs.size() != 5, call, "takes a cache together with its page table");

    std::int64_t rows = offsets.elements() - 1;
    Work work;
    work.bytes = 2 * q.bytes() + call.inputs[1].bytes() + call.inputs[2].bytes();
    double length = static_cast<double>(q.shape[0]) / static_cast<double>(rows);
    work.flops = attention_flops(q, static_cast<double>(q.shape[0]) * length / 2);
    if (call.inputs.size() == 6) {
        check_cache(call, call.inputs[4], call.inputs[5]);
        require(call.inputs[5].shape[0] == rows, call, "takes a row of the page table for each row");
        work.kernels = 2;
        work.bytes += 2 * (call.inputs[1].bytes() + call.inputs[2].bytes());
    }
    return work;
}

}  // namespace graphplan::sim
