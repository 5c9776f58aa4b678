// Mixtures of experts, but for their products: the choice, the sorting of tokens by expert, the sum.
#include "cuda/kernels/experts.cuh"

#include "cuda/kernels/launch.cuh"

namespace graphplan::cuda::kernels {
namespace {

constexpr int kWarps = 4;
constexpr int kSortThreads = 1024;

struct Best {
    float value;
    int id;
};

__device__ Best best_of(const float* logits, int experts) {
    Best best{-INFINITY, 0x7fffffff};
    const auto take = [&](float value, int id) {
        if (value > best.value || (value == best.value && id < best.id)) best = {value, id};
    };
    for (int i = static_cast<int>(threadIdx.x) % 32; i < experts; i += 32) take(logits[i], i);
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
        const float value = __shfl_xor_sync(~0u, best.value, offset);
        take(value, __shfl_xor_sync(~0u, best.id, offset));
    }
    return best;
}

// One warp a token. A softmax over the chosen ones is one over all of them made to sum to 1 again.
__global__ void pick_kernel(const float* logits, float* weights, std::int32_t* ids, std::int64_t tokens,
                            int experts, int k) {
    wait_for_previous();
    extern __shared__ float shared[];
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const std::int64_t token = static_cast<std::int64_t>(blockIdx.x) * kWarps + warp;
    if (token >= tokens) return;
    float* mine = shared + warp * experts;
    for (int i = lane; i < experts; i += 32) {
        // What is no number must not be chosen before what is one.
        const float logit = logits[token * experts + i];
        mine[i] = logit > -3.0e38F ? logit : -3.0e38F;
    }
    __syncwarp();
    float most = 0;
    float total = 0;
    for (int i = 0; i < k; ++i) {
        const Best best = best_of(mine, experts);
        if (i == 0) most = best.value;
        const float weight = expf(best.value - most);
        total += weight;
        __syncwarp();
        if (lane == 0) {
            mine[best.id] = -INFINITY;
            weights[token * k + i] = weight;
            ids[token * k + i] = best.id;
        }
        __syncwarp();
    }
    for (int i = lane; i < k; i += 32) weights[token * k + i] /= total;
}

__device__ int expert_of(const Indices& ids, std::int64_t pair, int experts) {
    const std::int64_t id = ids[pair];
    return static_cast<int>(id < 0 ? 0 : id < experts ? id : experts - 1);
}

// Counts become the place of each expert's first pair; the tiles are laid out. One warp.
__device__ void lay_tiles(const TileMemory& memory, int* counts, int experts, int tile_rows) {
    const int lane = static_cast<int>(threadIdx.x);
    int pairs = 0;
    int tiles = 0;
    for (int start = 0; start < experts; start += 32) {
        const int expert = start + lane;
        const int count = expert < experts ? counts[expert] : 0;
        const int mine = (count + tile_rows - 1) / tile_rows;
        int pairs_end = count;
        int tiles_end = mine;
        for (int step = 1; step < 32; step *= 2) {
            const int other_pairs = __shfl_up_sync(~0u, pairs_end, step);
            const int other_tiles = __shfl_up_sync(~0u, tiles_end, step);
            if (lane >= step) {
                pairs_end += other_pairs;
                tiles_end += other_tiles;
            }
        }
        const int first = pairs + pairs_end - count;
        for (int i = 0; i < mine; ++i) {
            memory.tiles[tiles + tiles_end - mine + i] = {expert, first + i * tile_rows,
                                                          min(count - i * tile_rows, tile_rows)};
        }
        if (expert < experts) counts[expert] = first;
        pairs += __shfl_sync(~0u, pairs_end, 31);
        tiles += __shfl_sync(~0u, tiles_end, 31);
    }
    if (lane == 0) *memory.count = tiles;
}

__global__ void sort_kernel(Indices ids, TileMemory memory, std::int64_t pairs, int experts, int tile_rows) {
    wait_for_previous();
    extern __shared__ int counts[];
    for (int i = static_cast<int>(threadIdx.x); i < experts; i += kSortThreads) counts[i] = 0;
    __syncthreads();
    for (std::int64_t i = threadIdx.x; i < pairs; i += kSortThreads) {
        atomicAdd(&counts[expert_of(ids, i, experts)], 1);
    }
    __syncthreads();
    if (threadIdx.x < 32) lay_tiles(memory, counts, experts, tile_rows);
    __syncthreads();
    // The order within an expert is whatever it comes to: no row's result depends on its neighbours.
    for (std::int64_t i = threadIdx.x; i < pairs; i += kSortThreads) {
        memory.pairs[atomicAdd(&counts[expert_of(ids, i, experts)], 1)] = static_cast<std::int32_t>(i);
    }
}

template <typename T, typename W, int N>
__global__ void combine_kernel(const T* x, const W* weights, T* out, int k, std::int64_t columns) {
    wait_for_previous();
    const std::int64_t column = (static_cast<std::int64_t>(blockIdx.y) * blockDim.x + threadIdx.x) * N;
    if (column >= columns) return;
    const std::int64_t token = blockIdx.x;
    float sums[N] = {};
    for (int i = 0; i < k; ++i) {
        const float weight = to_float(weights[token * k + i]);
        const auto pack = *reinterpret_cast<const Pack<T, N>*>(x + (token * k + i) * columns + column);
#pragma unroll
        for (int j = 0; j < N; ++j) sums[j] += weight * to_float(pack.values[j]);
    }
    Pack<T, N> result;
#pragma unroll
    for (int j = 0; j < N; ++j) result.values[j] = from_float<T>(sums[j]);
    *reinterpret_cast<Pack<T, N>*>(out + token * columns + column) = result;
}

template <typename T, typename W>
void combine(const OperatorCall& call, cudaStream_t stream) {
    constexpr int pack = 16 / sizeof(T);
    constexpr int threads = 128;
    const TensorView& x = call.inputs[0];
    const bool packed = last(x) % pack == 0 && is_aligned(x.address) && is_aligned(call.outputs[0].address);
    const std::int64_t blocks = ceil_div(last(x), threads * (packed ? pack : 1));
    launch("moe_combine", packed ? combine_kernel<T, W, pack> : combine_kernel<T, W, 1>,
           dim3(grid_size(x.shape[0]), grid_size(blocks)), threads, 0, stream, pointer<const T>(x),
           pointer<const W>(call.inputs[1]), pointer<T>(call.outputs[0]), x.shape[1], last(x));
}

}  // namespace

void pick_experts(const OperatorCall& call, Address logits, cudaStream_t stream) {
    const std::int64_t tokens = call.inputs[0].shape[0];
    const std::int64_t experts = call.weights[0].shape[0];
    const std::size_t shared = static_cast<std::size_t>(experts) * kWarps * sizeof(float);
    launch("moe_router", pick_kernel, grid_size(ceil_div(tokens, kWarps)), kWarps * 32, shared, stream,
           reinterpret_cast<const float*>(logits), pointer<float>(call.outputs[0]),
           pointer<std::int32_t>(call.outputs[1]), tokens, experts, call.parameters.top_k);
}

void sort_by_expert(const TensorView& ids, const ExpertTiles& tiles, cudaStream_t stream) {
    launch("moe_experts: sort", sort_kernel, 1, kSortThreads,
           static_cast<std::size_t>(tiles.experts) * sizeof(int), stream, Indices(ids), TileMemory(tiles),
           tiles.pairs, tiles.experts, tiles.tile_rows);
}

void moe_combine(const OperatorCall& call, cudaStream_t stream) {
    const TensorView& x = call.inputs[0];
    const TensorView& weights = call.inputs[1];
    const TensorView& out = call.outputs[0];
    expect(is_float(x.dtype) && x.shape.size() == 3 && weights.elements() == x.shape[0] * x.shape[1] &&
               (weights.dtype == DType::f32 || weights.dtype == x.dtype),
           call, "takes x [tokens, k, h] and weights [tokens, k] in f32 or x's type");
    expect(out.dtype == x.dtype && out.elements() == x.shape[0] * x.shape[2], call, "gives [tokens, h]");
    with_float(x.dtype, [&]<typename T>(T) {
        weights.dtype == DType::f32 ? combine<T, float>(call, stream) : combine<T, T>(call, stream);
    });
}

}  // namespace graphplan::cuda::kernels
