// What the attention kernels share: the shape of a call, where keys and values lie, the running softmax.
#pragma once

#include <cmath>

#include "cuda/kernels/device.cuh"
#include "cuda/kernels/kernels.hpp"

namespace graphplan::cuda::kernels {

struct Heads {
    int heads = 0, kv_heads = 0, d = 0;
    int group = 0;         ///< query heads that share a kv head
    float scale_log2 = 0;  ///< 1 / √d in units of log2(e): exponentials are powers of two

    explicit Heads(const OperatorCall& call)
        : heads(static_cast<int>(call.inputs[0].shape[1])),
          kv_heads(static_cast<int>(call.inputs[1].shape[1])),
          d(static_cast<int>(call.inputs[0].shape[2])),
          group(heads / kv_heads),
          scale_log2(static_cast<float>(1.4426950408889634 / std::sqrt(static_cast<double>(d)))) {}
};

/// A layer's keys and values in a paged cache, and the page table's rows.
struct PagedCache {
    const void* keys = nullptr;
    const void* values = nullptr;
    Indices table;
    std::int64_t pages_a_row = 0;
    int page_tokens = 0;

    PagedCache(const OperatorCall& call, const TensorView& cache, const TensorView& page_table)
        : table(page_table),
          pages_a_row(page_table.shape[1]),
          page_tokens(static_cast<int>(call.parameters.page_tokens)) {
        const Bytes half = cache.bytes() / cache.shape[0] / 2;
        keys = reinterpret_cast<const void*>(cache.address +
                                             static_cast<Address>(2 * half * call.parameters.layer));
        values = static_cast<const char*>(keys) + half;
    }
    __device__ std::int64_t capacity() const { return pages_a_row * page_tokens; }
    /// The cache's token that holds token `i` of a row.
    __device__ std::int64_t token(std::int64_t row, std::int64_t i) const {
        const auto place = static_cast<std::uint32_t>(i);
        const auto page = static_cast<std::uint32_t>(page_tokens);
        return table[row * pages_a_row + place / page] * page_tokens + place % page;
    }
};

/// The tokens that a decode step attends to: those up to its own, as far as the page table reaches.
__device__ inline int context_of(std::int64_t position, const PagedCache& cache) {
    const std::int64_t context = position + 1;
    return static_cast<int>(context < 0 ? 0 : context < cache.capacity() ? context : cache.capacity());
}

/// A part of a context that one block reads.
struct Part {
    int first, end;
};
/// In units of whole chunks; later parts may be empty. At least `least` chunks a part keep short contexts
/// whole.
__device__ inline Part part_of(int context, int chunk, int least, int part, int parts) {
    const int chunks = (context + chunk - 1) / chunk;
    const int each = max((chunks + parts - 1) / parts, least);
    return {min(part * each * chunk, context), min((part + 1) * each * chunk, context)};
}

/// Parts of a softmax(q·k)·v: unnormalised sums [rows, splits, d], then (maximum, sum) [rows, splits].
struct Partials {
    float* sums = nullptr;
    float2* scales = nullptr;
    int splits = 1;

    Partials(const OperatorCall& call, std::int64_t parts, Address memory)
        : sums(reinterpret_cast<float*>(memory)), splits(static_cast<int>(parts)) {
        scales = reinterpret_cast<float2*>(sums + call.outputs[0].elements() * parts);
    }
};

/// Packed rows of tokens.
struct PackedRows {
    Indices offsets;
    int rows = 0;

    PackedRows() = default;
    explicit PackedRows(const TensorView& row_offsets)
        : offsets(row_offsets), rows(static_cast<int>(row_offsets.elements() - 1)) {}
    /// The row of a token, -1 beyond the last row.
    __device__ int row_of(std::int64_t token) const {
        if (token >= offsets[rows]) return -1;
        int low = 0;
        int high = rows;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            (offsets[middle] <= token ? low : high) = middle;
        }
        return low;
    }
};

}  // namespace graphplan::cuda::kernels
