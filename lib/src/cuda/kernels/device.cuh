// What every kernel file shares on the device side: packs of 16 bytes, conversions, sums over a block.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "graphplan/operators.hpp"

namespace graphplan::cuda::kernels {

/// Every kernel begins with it: a kernel is launched while the one before it ends, and waits here until
/// that one has ended (sm_90 and later). From then on the next may be launched.
__device__ inline void wait_for_previous() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;\ngriddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// What one thread moves with one access.
template <typename T, int N = 16 / sizeof(T)>
struct alignas(sizeof(T) * N) Pack {
    static constexpr int kSize = N;
    T values[N];
};

__device__ inline float to_float(float x) { return x; }
__device__ inline float to_float(__half x) { return __half2float(x); }
__device__ inline float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }

template <typename T>
__device__ T from_float(float x);
template <>
__device__ inline float from_float<float>(float x) {
    return x;
}
template <>
__device__ inline __half from_float<__half>(float x) {
    return __float2half_rn(x);
}
template <>
__device__ inline __nv_bfloat16 from_float<__nv_bfloat16>(float x) {
    return __float2bfloat16_rn(x);
}

/// A tensor of i32 or i64 that a kernel reads.
struct Indices {
    const void* data = nullptr;
    bool wide = false;

    Indices() = default;
    explicit Indices(const TensorView& tensor)
        : data(reinterpret_cast<const void*>(tensor.address)), wide(tensor.dtype == DType::i64) {}
    __device__ std::int64_t operator[](std::int64_t i) const {
        return wide ? static_cast<const std::int64_t*>(data)[i] : static_cast<const std::int32_t*>(data)[i];
    }
};

struct Sum {
    __device__ static float apply(float a, float b) { return a + b; }
};
struct Max {
    __device__ static float apply(float a, float b) { return fmaxf(a, b); }
};

template <typename Op>
__device__ float reduce_warp(float x) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) x = Op::apply(x, __shfl_xor_sync(~0u, x, offset));
    return x;
}

/// Over all threads of a block of whole warps; every thread gets the result.
template <typename Op>
__device__ float reduce_block(float x) {
    __shared__ float parts[32];
    x = reduce_warp<Op>(x);
    const int warps = static_cast<int>(blockDim.x) / 32;
    __syncthreads();
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = x;
    __syncthreads();
    x = parts[0];
    for (int i = 1; i < warps; ++i) x = Op::apply(x, parts[i]);
    return x;
}

}  // namespace graphplan::cuda::kernels
