// The experts' products on tensor cores: a block multiplies a tile of one expert's pairs with 128 columns of
// its weight. Which tiles there are stands in device memory, so that the grid depends on shapes alone.
#include "cuda/kernels/experts.cuh"
#include "cuda/kernels/launch.cuh"
#include "cuda/kernels/tensor_core.cuh"

namespace graphplan::cuda::kernels {
namespace {

constexpr int kColumns = 128;
constexpr int kDepth = 64;  // that one step covers

template <int Rows>
struct Shape {
    static constexpr int kWarpRows = Rows == 128 ? 2 : 1;
    static constexpr int kThreads = kWarpRows * 4 * 32;
    static constexpr int kM = Rows / kWarpRows / 16;  // tiles of 16 rows a warp
    static constexpr int kN = 4;                      // tiles of 8 columns a warp
    static constexpr int kStages = Rows == 32 ? 4 : 3;
    static constexpr int kStage = (Rows + kColumns) * kDepth;
    static constexpr std::size_t kSharedBytes = static_cast<std::size_t>(kStages) * kStage * 2;
};

// Column `n` of a block: in the first product 8 gate columns lie beside the 8 up columns that they gate.
template <bool First>
__device__ std::int64_t weight_row(int n, int columns) {
    if constexpr (!First) {
        const int column = static_cast<int>(blockIdx.x) * kColumns + n;
        return column < columns ? column : -1;
    }
    const int column = static_cast<int>(blockIdx.x) * (kColumns / 2) + n / 16 * 8 + n % 8;
    if (column >= columns) return -1;
    return n / 8 % 2 == 0 ? column : columns + column;
}

// A thread copies the same rows at every step: their addresses are worked out once.
template <typename T, int Count>
struct Source {
    const T* rows[Count];
    template <int Threads>
    __device__ void copy(T* tile, int first, int depth, const T* anywhere) const {
        const int chunk = static_cast<int>(threadIdx.x) % 8;
        const int column = first + chunk * 8;
#pragma unroll
        for (int i = 0; i < Count; ++i) {
            const int row = static_cast<int>(threadIdx.x) / 8 + i * (Threads / 8);
            const bool there = rows[i] != nullptr && column < depth;
            copy_async(tile + at<kDepth>(row, chunk), there ? rows[i] + column : anywhere, there);
        }
    }
};

template <typename T, int Rows, bool First>
struct Sources {
    static constexpr int kThreads = Shape<Rows>::kThreads;
    Source<T, Rows * 8 / kThreads> rows;
    Source<T, kColumns * 8 / kThreads> columns;

    __device__ Sources(const Product<T>& p, const TileMemory& memory, const Tile& tile) {
        const int mine = static_cast<int>(threadIdx.x) / 8;
#pragma unroll
        for (int i = 0; i < Rows * 8 / kThreads; ++i) {
            const int row = mine + i * (kThreads / 8);
            std::int64_t from = tile.first + row;
            if (First && row < tile.rows) from = memory.pairs[from] / p.choices;
            rows.rows[i] = row < tile.rows ? p.rows + from * p.depth : nullptr;
        }
        const T* weight =
            p.weight + static_cast<std::int64_t>(tile.expert) * (First ? 2 : 1) * p.columns * p.depth;
#pragma unroll
        for (int i = 0; i < kColumns * 8 / kThreads; ++i) {
            const std::int64_t from = weight_row<First>(mine + i * (kThreads / 8), p.columns);
            columns.rows[i] = from >= 0 ? weight + from * p.depth : nullptr;
        }
    }
    __device__ void copy(T* stage, int step, const Product<T>& p) const {
        if (step * kDepth < p.depth) {
            rows.template copy<kThreads>(stage, step * kDepth, p.depth, p.rows);
            columns.template copy<kThreads>(stage + Rows * kDepth, step * kDepth, p.depth, p.weight);
        }
        commit_copies();
    }
};

template <typename T, int Rows>
__device__ void multiply_stage(const T* stage, float (&sums)[Shape<Rows>::kM][Shape<Rows>::kN][4]) {
    using S = Shape<Rows>;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const T* columns = stage + Rows * kDepth;
#pragma unroll
    for (int step = 0; step < kDepth / 16; ++step) {
        std::uint32_t a[S::kM][4];
#pragma unroll
        for (int m = 0; m < S::kM; ++m) {
            const int row = (warp / 4 * S::kM + m) * 16 + lane % 16;
            load_matrices(a[m], stage + at<kDepth>(row, step * 2 + lane / 16));
        }
#pragma unroll
        for (int n = 0; n < S::kN / 2; ++n) {
            std::uint32_t b[4];
            const int column = warp % 4 * 32 + n * 16 + lane % 8 + lane / 16 * 8;
            load_matrices(b, columns + at<kDepth>(column, step * 2 + lane / 8 % 2));
#pragma unroll
            for (int m = 0; m < S::kM; ++m) {
                multiply<T>(sums[m][n * 2], a[m], b[0], b[1]);
                multiply<T>(sums[m][n * 2 + 1], a[m], b[2], b[3]);
            }
        }
    }
}

template <typename T>
__device__ void store_pair(T* row, int column, int columns, float low, float high) {
    if (column < columns) row[column] = from_float<T>(low);
    if (column + 1 < columns) row[column + 1] = from_float<T>(high);
}

template <typename T, int Rows, bool First>
__device__ void store(const Product<T>& p, const TileMemory& memory, const Tile& tile,
                      const float (&sums)[Shape<Rows>::kM][Shape<Rows>::kN][4]) {
    using S = Shape<Rows>;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll
    for (int i = 0; i < S::kM * 2; ++i) {
        const int m = i / 2;
        const int half = i % 2 * 2;
        const int row = (warp / 4 * S::kM + m) * 16 + half * 4 + lane / 4;
        if (row >= tile.rows) continue;
        const std::int64_t to = First ? tile.first + row : memory.pairs[tile.first + row];
        T* out = p.out + to * p.columns;
#pragma unroll
        for (int n = 0; n < S::kN; n += First ? 2 : 1) {
            const float* sum = sums[m][n] + half;
            if constexpr (First) {
                const float* up = sums[m][n + 1] + half;
                const int column =
                    static_cast<int>(blockIdx.x) * (kColumns / 2) + warp % 4 * 16 + n * 4 + lane % 4 * 2;
                store_pair(out, column, p.columns, silu_times(sum[0], up[0]), silu_times(sum[1], up[1]));
            } else {
                const int column =
                    static_cast<int>(blockIdx.x) * kColumns + warp % 4 * 32 + n * 8 + lane % 4 * 2;
                store_pair(out, column, p.columns, sum[0], sum[1]);
            }
        }
    }
}

// grid: tiles of columns, tiles of pairs
template <typename T, int Rows, bool First>
__global__ void __launch_bounds__(Shape<Rows>::kThreads) product_kernel(Product<T> p, TileMemory memory) {
    wait_for_previous();
    extern __shared__ __align__(128) unsigned char shared[];
    using S = Shape<Rows>;
    if (static_cast<int>(blockIdx.y) >= *memory.count) return;
    const Tile tile = memory.tiles[blockIdx.y];
    auto* stages = reinterpret_cast<T*>(shared);
    const Sources<T, Rows, First> sources(p, memory, tile);
    const int steps = (p.depth + kDepth - 1) / kDepth;
    for (int step = 0; step < S::kStages - 1; ++step) sources.copy(stages + step * S::kStage, step, p);
    float sums[S::kM][S::kN][4] = {};
    for (int step = 0; step < steps; ++step) {
        wait_copies<S::kStages - 2>();
        __syncthreads();
        const int next = step + S::kStages - 1;
        sources.copy(stages + next % S::kStages * S::kStage, next, p);
        multiply_stage<T, Rows>(stages + step % S::kStages * S::kStage, sums);
    }
    store<T, Rows, First>(p, memory, tile, sums);
}

template <typename T, int Rows, bool First>
void run(const Product<T>& p, const ExpertTiles& tiles, cudaStream_t stream) {
    using S = Shape<Rows>;
    const dim3 grid(grid_size(ceil_div(p.columns, First ? kColumns / 2 : kColumns)),
                    grid_size(tiles.most_tiles()));
    allow_shared("moe_experts", product_kernel<T, Rows, First>, S::kSharedBytes);
    launch("moe_experts", product_kernel<T, Rows, First>, grid, S::kThreads, S::kSharedBytes, stream, p,
           TileMemory(tiles));
}

template <typename T, int Rows>
void run_both(const OperatorCall& call, const ExpertTiles& tiles, Address hidden, cudaStream_t stream) {
    run<T, Rows, true>(first_product<T>(call, hidden), tiles, stream);
    run<T, Rows, false>(second_product<T>(call, hidden), tiles, stream);
}

}  // namespace

void run_experts(const OperatorCall& call, const ExpertTiles& tiles, Address hidden, cudaStream_t stream) {
    with_16bit(call.inputs[0].dtype, [&]<typename T>(T) {
        if (tiles.tile_rows == 32) return run_both<T, 32>(call, tiles, hidden, stream);
        if (tiles.tile_rows == 64) return run_both<T, 64>(call, tiles, hidden, stream);
        run_both<T, 128>(call, tiles, hidden, stream);
    });
}

}  // namespace graphplan::cuda::kernels
