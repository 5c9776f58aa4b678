// How the queries of packed rows fall into tiles: only the device knows where rows begin.
#pragma once

#include "cuda/kernels/attention.cuh"

namespace graphplan::cuda::kernels {

struct QueryTile {
    std::int64_t token = 0;  ///< the first token of its packed row
    int length = 0;          ///< of the packed row
    int first = 0;           ///< its first query row: token × group + head
    int beyond = -1;         ///< for tiles past the last: how many
    int tiles = 0;
};

/// Tile `index` of all packed rows, 32 of which are counted at a time. Every warp finds the same.
__device__ inline QueryTile find_tile(const PackedRows& packed, int group, int rows_a_tile, int index) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    int before = 0;
    for (int start = 0; start < packed.rows; start += 32) {
        const int row = start + lane;
        const bool there = row < packed.rows;
        const std::int64_t token = there ? packed.offsets[row] : 0;
        const int length = there ? static_cast<int>(packed.offsets[row + 1] - token) : 0;
        const int tiles = (length * group + rows_a_tile - 1) / rows_a_tile;
        int end = tiles;
        for (int step = 1; step < 32; step *= 2) {
            const int other = __shfl_up_sync(~0u, end, step);
            if (lane >= step) end += other;
        }
        const unsigned holds = __ballot_sync(~0u, before + end > index);
        if (holds != 0) {
            const int source = __ffs(static_cast<int>(holds)) - 1;
            const int first = __shfl_sync(~0u, index - before - end + tiles, source);
            return {__shfl_sync(~0u, token, source), __shfl_sync(~0u, length, source), first * rows_a_tile,
                    -1, 0};
        }
        before += __shfl_sync(~0u, end, 31);
    }
    return {packed.offsets[packed.rows], 0, 0, index - before, before};
}

/// Tokens after the last row are padding; what nobody computes must not hold what memory held.
template <typename T>
__device__ void clear_padding(T* out, const QueryTile& tile, const Heads& heads, std::int64_t tokens) {
    const int step = static_cast<int>(gridDim.y) - tile.tiles;
    const int columns = heads.group * heads.d;
    for (std::int64_t token = tile.token + tile.beyond; token < tokens; token += step) {
        T* row = out + (token * heads.kv_heads + blockIdx.x) * columns;
        for (int i = static_cast<int>(threadIdx.x); i < columns; i += static_cast<int>(blockDim.x))
            row[i] = from_float<T>(0);
    }
}

}  // namespace graphplan::cuda::kernels
