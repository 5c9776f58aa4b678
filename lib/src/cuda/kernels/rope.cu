#include <cmath>

#include "cuda/kernels/device.cuh"
#include "cuda/kernels/kernels.hpp"
#include "cuda/kernels/launch.cuh"

namespace graphplan::cuda::kernels {
namespace {

constexpr int kThreads = 128;

// Angles in double: position × frequency is far larger than what is left of it after whole turns.
__device__ void fill_angles(float2* angles, std::int64_t position, int half, double log2_theta) {
    constexpr double whole = 6.283185307179586;
    for (int i = static_cast<int>(threadIdx.x); i < half; i += kThreads) {
        const double angle = static_cast<double>(position) * exp2(-log2_theta * i / half);
        const auto rest = static_cast<float>(angle - whole * rint(angle / whole));
        sincosf(rest, &angles[i].y, &angles[i].x);
    }
    __syncthreads();
}

// A block turns some heads of one token.
template <typename T, int N>
__global__ void rope_kernel(const T* x, Indices positions, T* out, int heads, int half, double log2_theta) {
    wait_for_previous();
    extern __shared__ float2 angles[];
    fill_angles(angles, positions[blockIdx.x], half, log2_theta);
    const int packs = half / N;
    const int heads_a_block = (heads + static_cast<int>(gridDim.y) - 1) / static_cast<int>(gridDim.y);
    const int first = static_cast<int>(blockIdx.y) * heads_a_block;
    const int units = min(heads_a_block, heads - first) * packs;
    for (int unit = static_cast<int>(threadIdx.x); unit < units; unit += kThreads) {
        const int column = unit % packs * N;
        const std::int64_t head = static_cast<std::int64_t>(blockIdx.x) * heads + first + unit / packs;
        const std::int64_t at = head * 2 * half + column;
        const auto low = *reinterpret_cast<const Pack<T, N>*>(x + at);
        const auto high = *reinterpret_cast<const Pack<T, N>*>(x + at + half);
        Pack<T, N> new_low;
        Pack<T, N> new_high;
#pragma unroll
        for (int i = 0; i < N; ++i) {
            const float2 turn = angles[column + i];
            const float a = to_float(low.values[i]);
            const float b = to_float(high.values[i]);
            new_low.values[i] = from_float<T>(a * turn.x - b * turn.y);
            new_high.values[i] = from_float<T>(b * turn.x + a * turn.y);
        }
        *reinterpret_cast<Pack<T, N>*>(out + at) = new_low;
        *reinterpret_cast<Pack<T, N>*>(out + at + half) = new_high;
    }
}

}  // namespace

void rope(const OperatorCall& call, cudaStream_t stream) {
    const TensorView& x = call.inputs[0];
    const TensorView& positions = call.inputs[1];
    const TensorView& out = call.outputs[0];
    expect(is_float(x.dtype) && x.shape.size() == 3 && last(x) % 2 == 0 && last(x) <= 4096 &&
               out.dtype == x.dtype && out.elements() == x.elements(),
           call, "takes x [tokens, heads, d] with an even d up to 4096 and gives the same shape");
    expect(is_index(positions.dtype) && positions.elements() == x.shape[0], call,
           "takes a position of i32 or i64 for each token");
    const auto half = static_cast<int>(last(x) / 2);
    with_float(x.dtype, [&]<typename T>(T) {
        constexpr int pack = 16 / sizeof(T);
        const bool packed = half % pack == 0 && is_aligned(x.address) && is_aligned(out.address);
        const std::int64_t units = x.shape[1] * half / (packed ? pack : 1);
        const std::int64_t parts = std::clamp<std::int64_t>(ceil_div(units, 4 * kThreads), 1, x.shape[1]);
        launch("rope", packed ? rope_kernel<T, pack> : rope_kernel<T, 1>,
               dim3(grid_size(x.shape[0]), grid_size(std::min<std::int64_t>(parts, 65535))), kThreads,
               static_cast<std::size_t>(half) * sizeof(float2), stream, pointer<const T>(x),
               Indices(positions), pointer<T>(out), x.shape[1], half, std::log2(call.parameters.theta));
    });
}

}  // namespace graphplan::cuda::kernels
