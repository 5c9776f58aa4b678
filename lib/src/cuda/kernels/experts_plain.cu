// The experts' products in plain fp32 arithmetic, for fp32 and for sizes that tensor cores don't take.
#include "cuda/kernels/experts.cuh"
#include "cuda/kernels/launch.cuh"

namespace graphplan::cuda::kernels {
namespace {

constexpr int kTile = 64;   // rows and columns of a block's tile
constexpr int kDepth = 16;  // that one step covers
constexpr int kThreads = 256;
constexpr int kEach = 4;  // rows and columns of a thread

struct Shared {
    float rows[kDepth][kTile + 4];
    float columns[kDepth][kTile + 4];
};

template <typename T, typename Offset>
__device__ void load(float (&to)[kDepth][kTile + 4], const T* from, int first, int depth, Offset&& offset) {
    for (int i = static_cast<int>(threadIdx.x); i < kTile * kDepth; i += kThreads) {
        const int step = i % kDepth;
        const std::int64_t start = offset(i / kDepth);
        const bool there = start >= 0 && first + step < depth;
        to[step][i / kDepth] = there ? to_float(from[start + first + step]) : 0;
    }
}

__device__ void multiply(const Shared& shared, float (&sums)[kEach][kEach]) {
    const int row = static_cast<int>(threadIdx.x) / 16 * kEach;
    const int column = static_cast<int>(threadIdx.x) % 16 * kEach;
#pragma unroll
    for (int step = 0; step < kDepth; ++step) {
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
#pragma unroll
            for (int j = 0; j < kEach; ++j) {
                sums[i][j] += shared.rows[step][row + i] * shared.columns[step][column + j];
            }
        }
    }
}

// One product over a tile: `skip` columns of the weight lie before the block's.
template <typename T, bool First>
__device__ void product(Shared& shared, const Product<T>& p, const TileMemory& memory, const Tile& tile,
                        std::int64_t skip, float (&sums)[kEach][kEach]) {
    const std::int64_t weight_columns = (First ? 2 : 1) * static_cast<std::int64_t>(p.columns);
    for (int first = 0; first < p.depth; first += kDepth) {
        load(shared.rows, p.rows, first, p.depth, [&](int row) -> std::int64_t {
            if (row >= tile.rows) return -1;
            const std::int64_t at = First ? memory.pairs[tile.first + row] / p.choices : tile.first + row;
            return at * p.depth;
        });
        load(shared.columns, p.weight, first, p.depth, [&](int column) -> std::int64_t {
            const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * kTile + column;
            return at < p.columns ? (tile.expert * weight_columns + skip + at) * p.depth : -1;
        });
        __syncthreads();
        multiply(shared, sums);
        __syncthreads();
    }
}

// grid: tiles of columns, tiles of pairs
template <typename T, bool First>
__global__ void product_kernel(Product<T> p, TileMemory memory) {
    wait_for_previous();
    __shared__ Shared shared;
    if (static_cast<int>(blockIdx.y) >= *memory.count) return;
    const Tile tile = memory.tiles[blockIdx.y];
    float sums[kEach][kEach] = {};
    float ups[kEach][kEach] = {};
    product<T, First>(shared, p, memory, tile, 0, sums);
    if constexpr (First) product<T, First>(shared, p, memory, tile, p.columns, ups);
    for (int i = 0; i < kEach * kEach; ++i) {
        const int row = static_cast<int>(threadIdx.x) / 16 * kEach + i / kEach;
        const int column =
            static_cast<int>(blockIdx.x) * kTile + static_cast<int>(threadIdx.x) % 16 * kEach + i % kEach;
        if (row >= tile.rows || column >= p.columns) continue;
        const std::int64_t to = First ? tile.first + row : memory.pairs[tile.first + row];
        const float sum = sums[i / kEach][i % kEach];
        const float gate = sum / (1.0F + expf(-sum));
        p.out[to * p.columns + column] = from_float<T>(First ? gate * ups[i / kEach][i % kEach] : sum);
    }
}

template <typename T, bool First>
void run(const Product<T>& p, const ExpertTiles& tiles, cudaStream_t stream) {
    const dim3 grid(grid_size(ceil_div(p.columns, kTile)), grid_size(tiles.most_tiles()));
    launch("moe_experts", product_kernel<T, First>, grid, kThreads, 0, stream, p, TileMemory(tiles));
}

}  // namespace

void run_experts_plain(const OperatorCall& call, const ExpertTiles& tiles, Address hidden,
                       cudaStream_t stream) {
    expect(tiles.tile_rows == kTile, call, "sorts into tiles of 64 rows");
    with_float(call.inputs[0].dtype, [&]<typename T>(T) {
        run<T, true>(first_product<T>(call, hidden), tiles, stream);
        run<T, false>(second_product<T>(call, hidden), tiles, stream);
    });
}

}  // namespace graphplan::cuda::kernels
