// Causal attention of packed rows, after FlashAttention-2 (Dao, 2023): a block holds a tile of queries and
// streams keys and values past it. The query heads of a kv head lie in one tile, token by token, so that
// what is loaded serves all of them.
#include "cuda/kernels/attention.cuh"
#include "cuda/kernels/attention_tiles.cuh"
#include "cuda/kernels/launch.cuh"
#include "cuda/kernels/tensor_core.cuh"

namespace graphplan::cuda::kernels {
namespace {

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / 32;

template <int Head>
struct Shape {
    static constexpr int kTilesAWarp = Head <= 128 ? 2 : 1;  // of 16 query rows
    static constexpr int kRows = kWarps * 16 * kTilesAWarp;
    static constexpr int kKeys = Head <= 128 ? 64 : 32;
    static constexpr int kKeyTile = kKeys * Head;
    static constexpr std::size_t kSharedBytes = (static_cast<std::size_t>(kRows) * Head + 4 * kKeyTile) * 2;
};

// Copies `Rows` rows into a swizzled tile; source(row) is null for rows to fill with zeros.
template <typename T, int Head, int Rows, typename Source>
__device__ void load_tile(T* tile, int d, const T* anywhere, Source&& source) {
    constexpr int columns = Head / 8;
    const int column = static_cast<int>(threadIdx.x) % columns;
#pragma unroll
    for (int pass = 0; pass < Rows * columns / kThreads; ++pass) {
        const int row = (pass * kThreads + static_cast<int>(threadIdx.x)) / columns;
        const T* from = source(row);
        const bool there = from != nullptr && column * 8 < d;
        copy_async(tile + at<Head>(row, column), there ? from + column * 8 : anywhere, there);
    }
}

template <typename T>
struct Operands {
    const T *q, *k, *v;
    T* out;
};

template <typename T, int Head>
__device__ void load_keys(T* memory, const Operands<T>& operands, const QueryTile& tile, const Heads& heads,
                          int first) {
    using S = Shape<Head>;
    const auto offset = [&](int row) {
        return ((tile.token + first + row) * heads.kv_heads + blockIdx.x) * heads.d;
    };
    const auto from = [&](const T* start) {
        return [=](int row) { return first + row < tile.length ? start + offset(row) : nullptr; };
    };
    load_tile<T, Head, S::kKeys>(memory, heads.d, operands.k, from(operands.k));
    load_tile<T, Head, S::kKeys>(memory + S::kKeyTile, heads.d, operands.v, from(operands.v));
}

template <typename T>
__device__ std::int64_t query_offset(const QueryTile& tile, const Heads& heads, int row) {
    const int packed = tile.first + row;
    const std::int64_t token = tile.token + packed / heads.group;
    return (token * heads.heads + blockIdx.x * heads.group + packed % heads.group) * heads.d;
}

template <typename T, int Head>
struct Accumulators {
    static constexpr int kM = Shape<Head>::kTilesAWarp;
    float sums[kM][Head / 8][4] = {};
    float scores[kM][Shape<Head>::kKeys / 8][4];
    float most[kM][2];
    float total[kM][2] = {};
};

template <typename T, int Head>
__device__ void score(Accumulators<T, Head>& acc, const T* q, const T* k) {
    using S = Shape<Head>;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll
    for (int step = 0; step < Head / 16; ++step) {
        std::uint32_t a[S::kTilesAWarp][4];
#pragma unroll
        for (int m = 0; m < S::kTilesAWarp; ++m) {
            const int row = (warp * S::kTilesAWarp + m) * 16 + lane % 16;
            load_matrices(a[m], q + at<Head>(row, step * 2 + lane / 16));
        }
#pragma unroll
        for (int n = 0; n < S::kKeys / 16; ++n) {
            std::uint32_t b[4];
            load_matrices(b, k + at<Head>(n * 16 + lane % 8 + lane / 16 * 8, step * 2 + lane / 8 % 2));
#pragma unroll
            for (int m = 0; m < S::kTilesAWarp; ++m) {
                multiply<T>(acc.scores[m][n * 2], a[m], b[0], b[1]);
                multiply<T>(acc.scores[m][n * 2 + 1], a[m], b[2], b[3]);
            }
        }
    }
}

// Keys after a query's own token count as if they weren't there.
template <typename T, int Head>
__device__ void mask(Accumulators<T, Head>& acc, const int (&tokens)[Shape<Head>::kTilesAWarp][2],
                     int first) {
    using S = Shape<Head>;
#pragma unroll
    for (int m = 0; m < S::kTilesAWarp; ++m) {
#pragma unroll
        for (int n = 0; n < S::kKeys / 8; ++n) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int key = first + n * 8 + static_cast<int>(threadIdx.x) % 4 * 2 + i % 2;
                if (key > tokens[m][i / 2]) acc.scores[m][n][i] = -INFINITY;
            }
        }
    }
}

// Scales what is there to the new maxima; the scores become weights.
template <typename T, int Head>
__device__ void rescale(Accumulators<T, Head>& acc, float scale_log2) {
    using S = Shape<Head>;
#pragma unroll
    for (int m = 0; m < S::kTilesAWarp; ++m) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float most = acc.most[m][half];
#pragma unroll
            for (int n = 0; n < S::kKeys / 8; ++n) {
                most = fmaxf(most, fmaxf(acc.scores[m][n][half * 2], acc.scores[m][n][half * 2 + 1]));
            }
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
            const float shrink = exp2f((acc.most[m][half] - most) * scale_log2);
            const float base = most * scale_log2;
            acc.most[m][half] = most;
            float total = acc.total[m][half] * shrink;
#pragma unroll
            for (int n = 0; n < S::kKeys / 8; ++n) {
#pragma unroll
                for (int i = half * 2; i < half * 2 + 2; ++i) {
                    acc.scores[m][n][i] = exp2f(fmaf(acc.scores[m][n][i], scale_log2, -base));
                    total += acc.scores[m][n][i];
                }
            }
            acc.total[m][half] = total;
#pragma unroll
            for (int n = 0; n < Head / 8; ++n) {
                acc.sums[m][n][half * 2] *= shrink;
                acc.sums[m][n][half * 2 + 1] *= shrink;
            }
        }
    }
}

template <typename T, int Head>
__device__ void add_values(Accumulators<T, Head>& acc, const T* v) {
    using S = Shape<Head>;
    const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
    for (int step = 0; step < S::kKeys / 16; ++step) {
        std::uint32_t a[S::kTilesAWarp][4];
#pragma unroll
        for (int m = 0; m < S::kTilesAWarp; ++m) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float* weights = acc.scores[m][step * 2 + i / 2] + i % 2 * 2;
                a[m][i] = pair_of<T>(weights[0], weights[1]);
            }
        }
#pragma unroll
        for (int n = 0; n < Head / 16; ++n) {
            std::uint32_t b[4];
            load_matrices_transposed(b, v + at<Head>(step * 16 + lane % 16, n * 2 + lane / 16));
#pragma unroll
            for (int m = 0; m < S::kTilesAWarp; ++m) {
                multiply<T>(acc.sums[m][n * 2], a[m], b[0], b[1]);
                multiply<T>(acc.sums[m][n * 2 + 1], a[m], b[2], b[3]);
            }
        }
    }
}

template <typename T, int Head>
__device__ void store(const Accumulators<T, Head>& acc, T* out, const QueryTile& tile, const Heads& heads) {
    using S = Shape<Head>;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll
    for (int i = 0; i < S::kTilesAWarp * 2; ++i) {
        const int m = i / 2;
        const int half = i % 2;
        float total = acc.total[m][half];
        total += __shfl_xor_sync(~0u, total, 1);
        total += __shfl_xor_sync(~0u, total, 2);
        const int row = (warp * S::kTilesAWarp + m) * 16 + half * 8 + lane / 4;
        if (tile.first + row >= tile.length * heads.group) continue;
        T* to = out + query_offset<T>(tile, heads, row) + lane % 4 * 2;
        const float scale = 1.0F / total;
#pragma unroll
        for (int n = 0; n < Head / 8; ++n) {
            if (n * 8 >= heads.d) break;
            *reinterpret_cast<std::uint32_t*>(to + n * 8) =
                pair_of<T>(acc.sums[m][n][half * 2] * scale, acc.sums[m][n][half * 2 + 1] * scale);
        }
    }
}

template <typename T, int Head>
__device__ void attend(T* q, const Operands<T>& operands, const QueryTile& tile, const Heads& heads) {
    using S = Shape<Head>;
    T* keys = q + S::kRows * Head;
    Accumulators<T, Head> acc;
    int tokens[S::kTilesAWarp][2];
#pragma unroll
    for (int i = 0; i < S::kTilesAWarp * 2; ++i) {
        const int row = (static_cast<int>(threadIdx.x) / 32 * S::kTilesAWarp + i / 2) * 16 + i % 2 * 8;
        tokens[i / 2][i % 2] = (tile.first + row + static_cast<int>(threadIdx.x) % 32 / 4) / heads.group;
        acc.most[i / 2][i % 2] = -INFINITY;
    }
    const int first_token = tile.first / heads.group;
    const int last_token = min((tile.first + S::kRows - 1) / heads.group, tile.length - 1);
    const int steps = last_token / S::kKeys + 1;
    load_keys<T, Head>(keys, operands, tile, heads, 0);
    commit_copies();
    for (int step = 0; step < steps; ++step) {
        T* k = keys + step % 2 * 2 * S::kKeyTile;
        T* next = keys + (step + 1) % 2 * 2 * S::kKeyTile;
        if (step + 1 < steps) load_keys<T, Head>(next, operands, tile, heads, (step + 1) * S::kKeys);
        commit_copies();
        wait_copies<1>();
        __syncthreads();
#pragma unroll
        for (int i = 0; i < S::kTilesAWarp * S::kKeys / 2; ++i) (&acc.scores[0][0][0])[i] = 0;
        score<T, Head>(acc, q, k);
        if ((step + 1) * S::kKeys - 1 > first_token) mask<T, Head>(acc, tokens, step * S::kKeys);
        rescale<T, Head>(acc, heads.scale_log2);
        add_values<T, Head>(acc, k + S::kKeyTile);
        __syncthreads();
    }
    store<T, Head>(acc, operands.out, tile, heads);
}

// grid: kv heads, tiles; those that read most keys go first.
template <typename T, int Head>
__global__ void __launch_bounds__(kThreads)
    prefill_kernel(Operands<T> operands, PackedRows packed, std::int64_t tokens, Heads heads) {
    wait_for_previous();
    extern __shared__ __align__(128) unsigned char shared[];
    using S = Shape<Head>;
    const int index = static_cast<int>(gridDim.y - 1 - blockIdx.y);
    const QueryTile tile = find_tile(packed, heads.group, S::kRows, index);
    if (tile.beyond >= 0) return clear_padding(operands.out, tile, heads, tokens);
    auto* q = reinterpret_cast<T*>(shared);
    load_tile<T, Head, S::kRows>(q, heads.d, operands.q, [&](int row) {
        const bool there = tile.first + row < tile.length * heads.group;
        return there ? operands.q + query_offset<T>(tile, heads, row) : nullptr;
    });
    attend<T, Head>(q, operands, tile, heads);
}

// Every packed row can end with a tile that isn't full, and one more is left to clear padding.
std::int64_t tiles_of(const OperatorCall& call) {
    static_assert(Shape<64>::kRows == Shape<128>::kRows);
    const std::int64_t rows = call.inputs[0].shape[0] * Heads(call).group;
    const int rows_a_tile = call.inputs[0].shape[2] <= 128 ? Shape<128>::kRows : Shape<256>::kRows;
    return ceil_div(rows, rows_a_tile) + call.inputs[3].elements() - 1;
}

template <typename T, int Head>
void run(const OperatorCall& call, cudaStream_t stream) {
    using S = Shape<Head>;
    const Heads heads(call);
    allow_shared("causal_attention", prefill_kernel<T, Head>, S::kSharedBytes);
    const Operands<T> operands{pointer<const T>(call.inputs[0]), pointer<const T>(call.inputs[1]),
                               pointer<const T>(call.inputs[2]), pointer<T>(call.outputs[0])};
    launch("causal_attention", prefill_kernel<T, Head>,
           dim3(grid_size(heads.kv_heads), grid_size(tiles_of(call))), kThreads, S::kSharedBytes, stream,
           operands, PackedRows(call.inputs[3]), call.inputs[0].shape[0], heads);
}

}  // namespace

void check_prefill(const OperatorCall& call) {
    expect(tiles_of(call) <= 65535, call, "takes as many tokens and rows as fit a grid");
}

void causal_attention(const OperatorCall& call, cudaStream_t stream) {
    const std::int64_t d = call.inputs[0].shape[2];
    with_16bit(call.inputs[0].dtype, [&]<typename T>(T) {
        if (d <= 64) return run<T, 64>(call, stream);
        if (d <= 128) return run<T, 128>(call, stream);
        run<T, 256>(call, stream);
    });
}

}  // namespace graphplan::cuda::kernels
