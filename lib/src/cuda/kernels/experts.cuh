// What the expert kernels share: the memory of ExpertTiles as a kernel sees it, and what a GEMM over it
// reads.
#pragma once

#include "cuda/kernels/device.cuh"
#include "cuda/kernels/kernels.hpp"

namespace graphplan::cuda::kernels {

struct Tile {
    int expert, first, rows;  ///< `first` counts sorted pairs
};

struct TileMemory {
    std::int32_t* count = nullptr;
    std::int32_t* pairs = nullptr;  ///< the pair, token × k + choice, at each sorted place
    Tile* tiles = nullptr;

    explicit TileMemory(const ExpertTiles& of)
        : count(reinterpret_cast<std::int32_t*>(of.memory)),
          pairs(count + 1),
          tiles(reinterpret_cast<Tile*>(pairs + of.pairs)) {}
};

/// rows [.., depth] · weight [experts, columns, depth]ᵀ. The first product reads x's rows through the pairs
/// and turns gate and up columns into one; the second writes its rows through the pairs.
template <typename T>
struct Product {
    const T* rows;
    const T* weight;
    T* out;
    int depth, columns;  ///< columns of the result
    int choices;         ///< experts a token, where rows are tokens; 0 where they are sorted pairs
};

template <typename T>
Product<T> first_product(const OperatorCall& call, Address hidden) {
    const auto& down = call.weights[1];
    return {reinterpret_cast<const T*>(call.inputs[0].address),
            reinterpret_cast<const T*>(call.weights[0].address),
            reinterpret_cast<T*>(hidden),
            static_cast<int>(down.shape[1]),
            static_cast<int>(down.shape[2]),
            static_cast<int>(call.inputs[1].shape[1])};
}

template <typename T>
Product<T> second_product(const OperatorCall& call, Address hidden) {
    const auto& down = call.weights[1];
    return {reinterpret_cast<const T*>(hidden),
            reinterpret_cast<const T*>(down.address),
            reinterpret_cast<T*>(call.outputs[0].address),
            static_cast<int>(down.shape[2]),
            static_cast<int>(down.shape[1]),
            0};
}

__device__ inline float silu_times(float gate, float up) { return gate / (1.0F + __expf(-gate)) * up; }

}  // namespace graphplan::cuda::kernels
