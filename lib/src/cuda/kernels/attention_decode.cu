// Attention of single tokens over a paged cache. A block reads a part of one context for all query heads of
// a kv head (16 at most). Each of its warps streams chunks of 16 keys and values through shared memory of
// its own, so that nothing waits on a barrier; their sums are put together at the end.
#include "cuda/kernels/attention.cuh"
#include "cuda/kernels/launch.cuh"
#include "cuda/kernels/tensor_core.cuh"

namespace graphplan::cuda::kernels {
namespace {

constexpr int kWarps = 4;
constexpr int kRows = 16;   // query heads of a tile
constexpr int kChunk = 16;  // keys of a chunk

template <int Head>
constexpr int kStages = Head <= 128 ? 3 : 2;
template <int Head>
constexpr std::size_t kSharedBytes = static_cast<std::size_t>(kWarps) * kStages<Head> * 2 * kChunk* Head * 2;

template <typename T, int Head>
struct Warp {
    static constexpr int kTile = kChunk * Head;
    int lane;
    T* memory;               // stages × (keys, values)
    const T* keys;           // this lane's columns of the cache's first key
    std::int64_t to_values;  // from a key to its value
    std::uint32_t stride;    // from one token to the next
    bool has_column;
    float sums[Head / 8][4] = {};
    float most[2] = {-INFINITY, -INFINITY};
    float total[2] = {};
    std::uint32_t q[Head / 16][4];
};

template <typename T, int Head>
__device__ void load_queries(Warp<T, Head>& warp, const T* q, int rows, int d) {
    const int row = warp.lane / 4;
    const auto pair = [&](int r, int column) {
        const bool there = r < rows && column < d;
        return there ? *reinterpret_cast<const std::uint32_t*>(q + r * d + column) : 0U;
    };
#pragma unroll
    for (int step = 0; step < Head / 16; ++step) {
        const int column = step * 16 + warp.lane % 4 * 2;
        warp.q[step][0] = pair(row, column);
        warp.q[step][1] = pair(row + 8, column);
        warp.q[step][2] = pair(row, column + 8);
        warp.q[step][3] = pair(row + 8, column + 8);
    }
}

// `token` is where key lane % 16 of the chunk lies in the cache.
template <typename T, int Head>
__device__ void start_chunk(const Warp<T, Head>& warp, int stage, std::uint32_t token, int keys) {
    constexpr int columns = Head / 8;
    constexpr int rows_a_pass = 32 / columns;
    T* k = warp.memory + stage * 2 * warp.kTile;
    T* v = k + warp.kTile;
#pragma unroll
    for (int pass = 0; pass < kChunk / rows_a_pass; ++pass) {
        const int row = pass * rows_a_pass + warp.lane / columns;
        const std::uint32_t key = __shfl_sync(~0u, token, row);
        const T* from = warp.keys + static_cast<std::uint64_t>(key) * warp.stride;
        const bool there = row < keys && warp.has_column;
        copy_async(k + at<Head>(row, warp.lane % columns), from, there);
        copy_async(v + at<Head>(row, warp.lane % columns), from + warp.to_values, there);
    }
}

// Scores of 16 queries with 16 keys: two tiles of 8 keys.
template <typename T, int Head>
__device__ void score(const Warp<T, Head>& warp, const T* k, float (&scores)[2][4]) {
    const int row = warp.lane % 8 + warp.lane / 16 * 8;
#pragma unroll
    for (int step = 0; step < Head / 16; ++step) {
        std::uint32_t b[4];
        load_matrices(b, k + at<Head>(row, step * 2 + warp.lane / 8 % 2));
        multiply<T>(scores[0], warp.q[step], b[0], b[1]);
        multiply<T>(scores[1], warp.q[step], b[2], b[3]);
    }
}

// The maxima with these scores; returns by what the sums so far shrink.
template <typename T, int Head>
__device__ float raise_most(Warp<T, Head>& warp, float (&scores)[2][4], int half, int keys,
                            float scale_log2) {
    float most = warp.most[half];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int key = i / 2 * 8 + warp.lane % 4 * 2 + i % 2;
        float& x = scores[i / 2][half * 2 + i % 2];
        x = key < keys ? x * scale_log2 : -INFINITY;
        most = fmaxf(most, x);
    }
    most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
    most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
    const float shrink = exp2f(warp.most[half] - most);
    warp.most[half] = most;
    return shrink;
}

// The scores become weights. A chunk has a key or more, so that the maxima are numbers. Maxima rarely rise
// after the first chunks: mostly there is nothing to scale.
template <typename T, int Head>
__device__ void rescale(Warp<T, Head>& warp, float (&scores)[2][4], int keys, float scale_log2) {
    const float shrink[2] = {raise_most(warp, scores, 0, keys, scale_log2),
                             raise_most(warp, scores, 1, keys, scale_log2)};
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        float& x = scores[i / 4][i % 4];
        x = exp2f(x - warp.most[i % 4 / 2]);
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const float* x = &scores[0][half * 2];
        warp.total[half] = warp.total[half] * shrink[half] + (x[0] + x[1] + x[4] + x[5]);
    }
    if (!__any_sync(~0u, shrink[0] != 1 || shrink[1] != 1)) return;
#pragma unroll
    for (int i = 0; i < Head / 8; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) warp.sums[i][j] *= shrink[j / 2];
    }
}

template <typename T, int Head>
__device__ void add_values(Warp<T, Head>& warp, const T* v, const float (&weights)[2][4]) {
    const std::uint32_t a[4] = {
        pair_of<T>(weights[0][0], weights[0][1]), pair_of<T>(weights[0][2], weights[0][3]),
        pair_of<T>(weights[1][0], weights[1][1]), pair_of<T>(weights[1][2], weights[1][3])};
#pragma unroll
    for (int pair = 0; pair < Head / 16; ++pair) {
        std::uint32_t b[4];
        load_matrices_transposed(b, v + at<Head>(warp.lane % 16, pair * 2 + warp.lane / 16));
        multiply<T>(warp.sums[pair * 2], a, b[0], b[1]);
        multiply<T>(warp.sums[pair * 2 + 1], a, b[2], b[3]);
    }
}

// The chunks of a part go round the warps; page numbers are read one chunk ahead of the copies.
template <typename T, int Head>
__device__ void stream_part(Warp<T, Head>& warp, const PagedCache& cache, float scale_log2, std::int64_t row,
                            Part part) {
    const int mine = static_cast<int>(threadIdx.x) / 32;
    const int chunks = (part.end - part.first + kChunk - 1) / kChunk;
    const auto first = [&](int chunk) { return part.first + chunk * kChunk; };
    const auto token = [&](int chunk) {
        const int key = first(chunk) + warp.lane % kChunk;
        return static_cast<std::uint32_t>(key < part.end ? cache.token(row, key) : 0);
    };
    std::uint32_t next = token(mine);
    int ahead = mine;
    const auto start = [&](int stage) {
        if (ahead < chunks) start_chunk(warp, stage, next, part.end - first(ahead));
        commit_copies();
        ahead += kWarps;
        next = token(ahead);
    };
    for (int stage = 0; stage < kStages<Head> - 1; ++stage) start(stage);
    int stage = 0;
    for (int chunk = mine; chunk < chunks; chunk += kWarps) {
        start((stage + kStages<Head> - 1) % kStages<Head>);
        wait_copies<kStages<Head> - 1>();
        __syncwarp();
        const T* k = warp.memory + stage * 2 * warp.kTile;
        float scores[2][4] = {};
        score(warp, k, scores);
        rescale(warp, scores, part.end - first(chunk), scale_log2);
        add_values(warp, k + warp.kTile, scores);
        __syncwarp();
        stage = (stage + 1) % kStages<Head>;
    }
    wait_copies<0>();
}

// Every warp lays its sums down in shared memory: [warps][rows][Head], then maxima and totals.
template <typename T, int Head>
__device__ void lay_down(Warp<T, Head>& warp, float* sums, float2* scales) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        float total = warp.total[half];
        total += __shfl_xor_sync(~0u, total, 1);
        total += __shfl_xor_sync(~0u, total, 2);
        const int row = static_cast<int>(threadIdx.x) / 32 * kRows + warp.lane / 4 + half * 8;
        if (warp.lane % 4 == 0) scales[row] = make_float2(warp.most[half], total);
#pragma unroll
        for (int i = 0; i < Head / 8; ++i) {
            float* to = sums + row * Head + i * 8 + warp.lane % 4 * 2;
            to[0] = warp.sums[i][half * 2];
            to[1] = warp.sums[i][half * 2 + 1];
        }
    }
}

struct Merged {
    float most, total, weights[kWarps];
};

__device__ Merged merge(const float2* scales, int row) {
    Merged merged{-INFINITY, 0, {}};
    for (int w = 0; w < kWarps; ++w) merged.most = fmaxf(merged.most, scales[w * kRows + row].x);
    const float base = merged.most == -INFINITY ? 0 : merged.most;
    for (int w = 0; w < kWarps; ++w) {
        merged.weights[w] = exp2f(scales[w * kRows + row].x - base);
        merged.total += merged.weights[w] * scales[w * kRows + row].y;
    }
    return merged;
}

// What the warps laid down, merged: the result of a whole context, or a part's share of it.
template <typename T, int Head>
__device__ void write_rows(const float* sums, const float2* scales, std::int64_t first_head, int rows, int d,
                           T* out, const Partials& partials) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int row = static_cast<int>(threadIdx.x) / 32; row < rows; row += kWarps) {
        const Merged merged = merge(scales, row);
        const std::int64_t part_row = (first_head + row) * partials.splits + blockIdx.x;
        const bool whole = partials.splits == 1;
        const float scale = whole && merged.total > 0 ? 1.0F / merged.total : 1.0F;
        for (int column = lane; column < d; column += 32) {
            float sum = 0;
            for (int w = 0; w < kWarps; ++w) {
                sum += merged.weights[w] * sums[(w * kRows + row) * Head + column];
            }
            if (whole) {
                out[(first_head + row) * d + column] = from_float<T>(sum * scale);
            } else {
                partials.sums[part_row * d + column] = sum;
            }
        }
        if (!whole && lane == 0) partials.scales[part_row] = make_float2(merged.most, merged.total);
    }
}

// grid: splits, kv heads × tiles of 16 query heads, tokens
template <typename T, int Head>
__global__ void __launch_bounds__(kWarps * 32)
    decode_kernel(const T* queries, PagedCache cache, Indices positions, T* out, Heads heads,
                  Partials partials) {
    wait_for_previous();
    extern __shared__ __align__(128) unsigned char shared[];
    const int kv_head = static_cast<int>(blockIdx.y) % heads.kv_heads;
    const int first_row = static_cast<int>(blockIdx.y) / heads.kv_heads * kRows;
    const int rows = min(heads.group - first_row, kRows);
    const std::int64_t first_head =
        static_cast<std::int64_t>(blockIdx.z) * heads.heads + kv_head * heads.group + first_row;
    const int context = context_of(positions[blockIdx.z], cache);
    const Part part = part_of(context, kChunk, kWarps, static_cast<int>(blockIdx.x), partials.splits);

    Warp<T, Head> warp;
    warp.lane = static_cast<int>(threadIdx.x) % 32;
    warp.memory = reinterpret_cast<T*>(shared) + threadIdx.x / 32 * (kStages<Head> * 2 * warp.kTile);
    const int column = warp.lane % (Head / 8) * 8;
    warp.has_column = column < heads.d;
    warp.keys = static_cast<const T*>(cache.keys) + kv_head * heads.d + (warp.has_column ? column : 0);
    warp.to_values = static_cast<const T*>(cache.values) - static_cast<const T*>(cache.keys);
    warp.stride = static_cast<std::uint32_t>(heads.kv_heads * heads.d);
    load_queries(warp, queries + first_head * heads.d, rows, heads.d);
    stream_part(warp, cache, heads.scale_log2, blockIdx.z, part);
    __syncthreads();
    auto* sums = reinterpret_cast<float*>(shared);
    auto* scales = reinterpret_cast<float2*>(sums + kWarps * kRows * Head);
    lay_down(warp, sums, scales);
    __syncthreads();
    write_rows<T, Head>(sums, scales, first_head, rows, heads.d, out, partials);
}

template <typename T, int Head>
void run(const OperatorCall& call, std::int64_t splits, Address partials, cudaStream_t stream) {
    const Heads heads(call);
    const dim3 grid(grid_size(splits), grid_size(heads.kv_heads * ceil_div(heads.group, kRows)),
                    grid_size(call.inputs[0].shape[0]));
    allow_shared("paged_attention", decode_kernel<T, Head>, kSharedBytes<Head>);
    launch("paged_attention", decode_kernel<T, Head>, grid, kWarps * 32, kSharedBytes<Head>, stream,
           pointer<const T>(call.inputs[0]), PagedCache(call, call.inputs[3], call.inputs[4]),
           Indices(call.inputs[5]), pointer<T>(call.outputs[0]), heads, Partials(call, splits, partials));
}

}  // namespace

void paged_attention(const OperatorCall& call, std::int64_t splits, Address partials, cudaStream_t stream) {
    const std::int64_t d = call.inputs[0].shape[2];
    with_16bit(call.inputs[0].dtype, [&]<typename T>(T) {
        if (d <= 64) return run<T, 64>(call, splits, partials, stream);
        if (d <= 128) return run<T, 128>(call, splits, partials, stream);
        run<T, 256>(call, splits, partials, stream);
    });
}

}  // namespace graphplan::cuda::kernels
