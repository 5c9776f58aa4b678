#include "cuda/kernels/device.cuh"
#include "cuda/kernels/kernels.hpp"
#include "cuda/kernels/launch.cuh"

namespace graphplan::cuda::kernels {
namespace {

constexpr int kThreads = 256;

struct Gelu {
    static constexpr bool kBinary = false;
    // erfc, since 1 + erf loses every digit where x is well below 0.
    __device__ static float apply(float x, float, float) { return 0.5F * x * erfcf(x * -0.70710678F); }
};
struct LeakyRelu {
    static constexpr bool kBinary = false;
    __device__ static float apply(float x, float, float slope) { return x >= 0 ? x : x * slope; }
};
struct Tanh {
    static constexpr bool kBinary = false;
    __device__ static float apply(float x, float, float) { return tanhf(x); }
};
struct Add {
    static constexpr bool kBinary = true;
    __device__ static float apply(float x, float y, float) { return x + y; }
};
struct Mul {
    static constexpr bool kBinary = true;
    __device__ static float apply(float x, float y, float) { return x * y; }
};

template <typename T, int N, typename Op>
__device__ void map_pack(const T* x, const T* y, T* out, float parameter) {
    const auto a = *reinterpret_cast<const Pack<T, N>*>(x);
    Pack<T, N> b = a;
    if constexpr (Op::kBinary) b = *reinterpret_cast<const Pack<T, N>*>(y);
    Pack<T, N> result;
#pragma unroll
    for (int i = 0; i < N; ++i) {
        result.values[i] = from_float<T>(Op::apply(to_float(a.values[i]), to_float(b.values[i]), parameter));
    }
    *reinterpret_cast<Pack<T, N>*>(out) = result;
}

// The last elements, fewer than a pack, are the first block's.
template <typename T, int N, typename Op>
__global__ void map(const T* x, const T* y, T* out, std::int64_t n, float parameter) {
    wait_for_previous();
    const std::int64_t packs = n / N;
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < packs;
         i += stride) {
        map_pack<T, N, Op>(x + i * N, y + i * N, out + i * N, parameter);
    }
    const std::int64_t rest = packs * N + threadIdx.x;
    if (blockIdx.x == 0 && rest < n) map_pack<T, 1, Op>(x + rest, y + rest, out + rest, parameter);
}

template <typename Op>
void run_map(const OperatorCall& call, double parameter, cudaStream_t stream) {
    const TensorView& x = call.inputs.front();
    const TensorView& y = call.inputs.back();
    const TensorView& out = call.outputs[0];
    expect(is_float(x.dtype) && y.dtype == x.dtype && out.dtype == x.dtype && y.shape == x.shape &&
               out.elements() == x.elements(),
           call, "takes and gives tensors of one shape and floating-point type");
    with_float(x.dtype, [&]<typename T>(T) {
        constexpr int pack = 16 / sizeof(T);
        const bool aligned = is_aligned(x.address) && is_aligned(y.address) && is_aligned(out.address);
        const std::int64_t packs = ceil_div(out.elements(), aligned ? pack : 1);
        const unsigned grid = grid_size(std::min<std::int64_t>(ceil_div(packs, kThreads), 132 * 64));
        launch(to_string(call.kind), aligned ? map<T, pack, Op> : map<T, 1, Op>, grid, kThreads, 0, stream,
               pointer<const T>(x), pointer<const T>(y), pointer<T>(out), out.elements(), parameter);
    });
}

template <typename T, int N>
__global__ void silu_mul_kernel(const T* x, T* out, std::int64_t features) {
    wait_for_previous();
    const std::int64_t column = (static_cast<std::int64_t>(blockIdx.y) * blockDim.x + threadIdx.x) * N;
    if (column >= features) return;
    const T* row = x + static_cast<std::int64_t>(blockIdx.x) * 2 * features + column;
    const auto gate = *reinterpret_cast<const Pack<T, N>*>(row);
    const auto up = *reinterpret_cast<const Pack<T, N>*>(row + features);
    Pack<T, N> result;
#pragma unroll
    for (int i = 0; i < N; ++i) {
        const float g = to_float(gate.values[i]);
        result.values[i] = from_float<T>(g / (1.0F + expf(-g)) * to_float(up.values[i]));
    }
    *reinterpret_cast<Pack<T, N>*>(out + static_cast<std::int64_t>(blockIdx.x) * features + column) = result;
}

template <typename T>
__device__ float read_any(T x) {
    return to_float(x);
}
__device__ double read_any(std::int32_t x) { return x; }
__device__ std::int64_t read_any(std::int64_t x) { return x; }
__device__ std::int32_t read_any(std::uint8_t x) { return x; }

template <typename To, typename From>
__device__ To convert(From x) {
    if constexpr (std::is_same_v<To, __half> || std::is_same_v<To, __nv_bfloat16>) {
        return from_float<To>(static_cast<float>(read_any(x)));
    } else {
        return static_cast<To>(read_any(x));
    }
}

template <typename To, typename From>
__global__ void cast_kernel(const From* x, To* out, std::int64_t n) {
    wait_for_previous();
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        out[i] = convert<To>(x[i]);
    }
}

template <typename Body>
void with_any(DType dtype, Body&& body) {
    switch (dtype) {
        case DType::i32: return body(std::int32_t{});
        case DType::i64: return body(std::int64_t{});
        case DType::u8: return body(std::uint8_t{});
        default: with_float(dtype, body);
    }
}

}  // namespace

void gelu(const OperatorCall& call, cudaStream_t stream) { run_map<Gelu>(call, 0, stream); }
void leaky_relu(const OperatorCall& call, cudaStream_t stream) {
    run_map<LeakyRelu>(call, call.parameters.slope, stream);
}
void tanh(const OperatorCall& call, cudaStream_t stream) { run_map<Tanh>(call, 0, stream); }
void add(const OperatorCall& call, cudaStream_t stream) { run_map<Add>(call, 0, stream); }
void mul(const OperatorCall& call, cudaStream_t stream) { run_map<Mul>(call, 0, stream); }

void silu_mul(const OperatorCall& call, cudaStream_t stream) {
    const TensorView& x = call.inputs[0];
    const TensorView& out = call.outputs[0];
    const std::int64_t features = last(out);
    expect(is_float(x.dtype) && out.dtype == x.dtype && last(x) == 2 * features && rows(out) == rows(x), call,
           "takes x [.., 2f] and gives [.., f]");
    with_float(x.dtype, [&]<typename T>(T) {
        constexpr int pack = 16 / sizeof(T);
        const bool packed = is_aligned(x.address) && is_aligned(out.address) && features % pack == 0;
        const std::int64_t columns = ceil_div(features, kThreads * (packed ? pack : 1));
        launch("silu_mul", packed ? silu_mul_kernel<T, pack> : silu_mul_kernel<T, 1>,
               dim3(grid_size(rows(x)), grid_size(columns)), kThreads, 0, stream, pointer<const T>(x),
               pointer<T>(out), features);
    });
}

void cast(const OperatorCall& call, cudaStream_t stream) {
    const TensorView& x = call.inputs[0];
    const TensorView& out = call.outputs[0];
    expect(x.elements() == out.elements(), call, "gives the shape of its x");
    const unsigned grid = grid_size(std::min<std::int64_t>(ceil_div(x.elements(), kThreads), 132 * 64));
    with_any(x.dtype, [&]<typename From>(From) {
        with_any(out.dtype, [&]<typename To>(To) {
            launch("cast", cast_kernel<To, From>, grid, kThreads, 0, stream, pointer<const From>(x),
                   pointer<To>(out), x.elements());
        });
    });
}

}  // namespace graphplan::cuda::kernels
