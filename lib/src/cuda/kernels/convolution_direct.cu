// Convolutions without a library, for builds without one and for calls that it turns down.
#include "cuda/kernels/device.cuh"
#include "cuda/kernels/kernels.hpp"
#include "cuda/kernels/launch.cuh"

namespace graphplan::cuda::kernels {
namespace {

constexpr int kThreads = 256;

struct Geometry {
    std::int64_t channels, length, out_channels, out_length, kernel, stride, padding, dilation, groups;
};

struct Place {
    std::int64_t batch, channel, at;
};

__device__ Place place_of(std::int64_t i, const Geometry& g) {
    return {i / g.out_length / g.out_channels, i / g.out_length % g.out_channels, i % g.out_length};
}

template <typename T>
__device__ float convolve(const T* x, const T* weight, const Place& place, const Geometry& g) {
    const std::int64_t in = g.channels / g.groups;
    const std::int64_t first = place.channel / (g.out_channels / g.groups) * in;
    float sum = 0;
    for (std::int64_t c = 0; c < in; ++c) {
        const T* row = x + (place.batch * g.channels + first + c) * g.length;
        const T* taps = weight + (place.channel * in + c) * g.kernel;
        for (std::int64_t tap = 0; tap < g.kernel; ++tap) {
            const std::int64_t at = place.at * g.stride - g.padding + tap * g.dilation;
            if (at >= 0 && at < g.length) sum += to_float(row[at]) * to_float(taps[tap]);
        }
    }
    return sum;
}

template <typename T>
__device__ float convolve_transposed(const T* x, const T* weight, const Place& place, const Geometry& g) {
    const std::int64_t in = g.channels / g.groups;
    const std::int64_t out = g.out_channels / g.groups;
    const std::int64_t first = place.channel / out * in;
    float sum = 0;
    for (std::int64_t c = first; c < first + in; ++c) {
        const T* row = x + (place.batch * g.channels + c) * g.length;
        const T* taps = weight + (c * out + place.channel % out) * g.kernel;
        for (std::int64_t tap = 0; tap < g.kernel; ++tap) {
            const std::int64_t from = place.at + g.padding - tap * g.dilation;
            const bool hits = from >= 0 && from % g.stride == 0 && from / g.stride < g.length;
            if (hits) sum += to_float(row[from / g.stride]) * to_float(taps[tap]);
        }
    }
    return sum;
}

template <typename T>
__global__ void convolution_kernel(const T* x, const T* weight, const T* bias, T* out, std::int64_t n,
                                   Geometry g, bool transposed) {
    wait_for_previous();
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= n) return;
    const Place place = place_of(i, g);
    float y = transposed ? convolve_transposed(x, weight, place, g) : convolve(x, weight, place, g);
    if (bias != nullptr) y += to_float(bias[place.channel]);
    out[i] = from_float<T>(y);
}

template <typename T>
__global__ void bias_kernel(T* y, const T* bias, std::int64_t channels, std::int64_t length) {
    wait_for_previous();
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.y) * kThreads + threadIdx.x;
    if (i >= length) return;
    T& value = y[blockIdx.x * length + i];
    value = from_float<T>(to_float(value) + to_float(bias[blockIdx.x % channels]));
}

}  // namespace

void convolution(const OperatorCall& call, cudaStream_t stream) {
    const TensorView& x = call.inputs[0];
    const TensorView& out = call.outputs[0];
    const OperatorParameters& p = call.parameters;
    const Geometry geometry{x.shape[1], x.shape[2], out.shape[1], out.shape[2], call.weights[0].shape[2],
                            p.stride,   p.padding,  p.dilation,   p.groups};
    with_float(x.dtype, [&]<typename T>(T) {
        const T* bias = call.weights.size() == 2 ? pointer<const T>(call.weights[1]) : nullptr;
        launch(to_string(call.kind), convolution_kernel<T>, grid_size(ceil_div(out.elements(), kThreads)),
               kThreads, 0, stream, pointer<const T>(x), pointer<const T>(call.weights[0]), bias,
               pointer<T>(out), out.elements(), geometry, call.kind == OperatorKind::conv_transpose1d);
    });
}

void add_channel_bias(const TensorView& y, const TensorView& bias, cudaStream_t stream) {
    const std::int64_t channels = y.shape[1];
    const std::int64_t length = y.shape[2];
    with_float(y.dtype, [&]<typename T>(T) {
        launch("a convolution's bias", bias_kernel<T>,
               dim3(grid_size(y.shape[0] * channels), grid_size(ceil_div(length, kThreads))), kThreads, 0,
               stream, pointer<T>(y), pointer<const T>(bias), channels, length);
    });
}

}  // namespace graphplan::cuda::kernels
