// One block a row. A row that fits is read once and kept in registers.
#include "cuda/kernels/device.cuh"
#include "cuda/kernels/kernels.hpp"
#include "cuda/kernels/launch.cuh"

namespace graphplan::cuda::kernels {
namespace {

constexpr int kHeld = 4;  // packs that a thread keeps of its row

// Calls body(pack, column) for this thread's packs of a row; the first kHeld come out of registers.
template <typename T, int N>
class Row {
  public:
    __device__ Row(const T* row, std::int64_t packs) : row_(row), packs_(packs) {
#pragma unroll
        for (int i = 0; i < kHeld; ++i) {
            if (column(i) < packs_) held_[i] = load(column(i));
        }
    }
    template <typename Body>
    __device__ void for_each(Body&& body) const {
#pragma unroll
        for (int i = 0; i < kHeld; ++i) {
            if (column(i) < packs_) body(held_[i], column(i) * N);
        }
        for (std::int64_t i = column(kHeld); i < packs_; i += blockDim.x) body(load(i), i * N);
    }

  private:
    __device__ std::int64_t column(int i) const {
        return threadIdx.x + i * static_cast<std::int64_t>(blockDim.x);
    }
    __device__ Pack<T, N> load(std::int64_t i) const {
        return *reinterpret_cast<const Pack<T, N>*>(row_ + i * N);
    }
    const T* row_;
    std::int64_t packs_;
    Pack<T, N> held_[kHeld];
};

template <typename T, int N>
__device__ void store(T* row, std::int64_t column, const Pack<T, N>& pack) {
    *reinterpret_cast<Pack<T, N>*>(row + column) = pack;
}

template <typename T, int N>
__device__ float sum_of(const Row<T, N>& row, float subtract, bool squared) {
    float sum = 0;
    row.for_each([&](const Pack<T, N>& pack, std::int64_t) {
#pragma unroll
        for (int i = 0; i < N; ++i) {
            const float x = to_float(pack.values[i]) - subtract;
            sum += squared ? x * x : x;
        }
    });
    return reduce_block<Sum>(sum);
}

template <typename T, int N>
__global__ void rms_norm_kernel(const T* x, const T* weight, T* out, std::int64_t d, float epsilon) {
    wait_for_previous();
    const std::int64_t start = blockIdx.x * d;
    const Row<T, N> row(x + start, d / N);
    const float scale = rsqrtf(sum_of(row, 0, true) / static_cast<float>(d) + epsilon);
    row.for_each([&](const Pack<T, N>& pack, std::int64_t column) {
        const auto w = *reinterpret_cast<const Pack<T, N>*>(weight + column);
        Pack<T, N> result;
#pragma unroll
        for (int i = 0; i < N; ++i) {
            result.values[i] = from_float<T>(to_float(pack.values[i]) * scale * to_float(w.values[i]));
        }
        store(out + start, column, result);
    });
}

template <typename T, int N>
__global__ void layer_norm_kernel(const T* x, const T* weight, const T* bias, T* out, std::int64_t d,
                                  float epsilon) {
    wait_for_previous();
    const std::int64_t start = blockIdx.x * d;
    const Row<T, N> row(x + start, d / N);
    const float mean = sum_of(row, 0, false) / static_cast<float>(d);
    const float scale = rsqrtf(sum_of(row, mean, true) / static_cast<float>(d) + epsilon);
    row.for_each([&](const Pack<T, N>& pack, std::int64_t column) {
        const auto w = *reinterpret_cast<const Pack<T, N>*>(weight + column);
        const auto b = *reinterpret_cast<const Pack<T, N>*>(bias + column);
        Pack<T, N> result;
#pragma unroll
        for (int i = 0; i < N; ++i) {
            const float normal = (to_float(pack.values[i]) - mean) * scale;
            result.values[i] = from_float<T>(normal * to_float(w.values[i]) + to_float(b.values[i]));
        }
        store(out + start, column, result);
    });
}

template <typename T, int N>
__global__ void softmax_kernel(const T* x, T* out, std::int64_t d) {
    wait_for_previous();
    const std::int64_t start = blockIdx.x * d;
    const Row<T, N> row(x + start, d / N);
    float most = -INFINITY;
    row.for_each([&](const Pack<T, N>& pack, std::int64_t) {
#pragma unroll
        for (int i = 0; i < N; ++i) most = fmaxf(most, to_float(pack.values[i]));
    });
    most = reduce_block<Max>(most);
    float sum = 0;
    row.for_each([&](const Pack<T, N>& pack, std::int64_t) {
#pragma unroll
        for (int i = 0; i < N; ++i) sum += expf(to_float(pack.values[i]) - most);
    });
    const float scale = 1.0F / reduce_block<Sum>(sum);
    row.for_each([&](const Pack<T, N>& pack, std::int64_t column) {
        Pack<T, N> result;
#pragma unroll
        for (int i = 0; i < N; ++i) {
            result.values[i] = from_float<T>(expf(to_float(pack.values[i]) - most) * scale);
        }
        store(out + start, column, result);
    });
}

// A whole number of warps. Few rows: a pack or more a thread, for the sake of latency. Many: as many packs a
// thread as it keeps, since sums over a block then cost more than they hide.
unsigned threads_for(std::int64_t packs, std::int64_t rows) {
    constexpr std::int64_t many = 1024;
    const std::int64_t each = rows < many ? 1 : kHeld;
    return static_cast<unsigned>(std::clamp<std::int64_t>(ceil_div(packs, 32 * each) * 32, 32, 512));
}

bool packs_evenly(const OperatorCall& call) {
    const Bytes element = size_of(call.inputs[0].dtype);
    bool even = last(call.inputs[0]) * element % 16 == 0 && is_aligned(call.inputs[0].address) &&
                is_aligned(call.outputs[0].address);
    for (const TensorView& weight : call.weights) even = even && is_aligned(weight.address);
    return even;
}

void check_norm(const OperatorCall& call) {
    const TensorView& x = call.inputs[0];
    const TensorView& out = call.outputs[0];
    expect(is_float(x.dtype) && out.dtype == x.dtype && last(out) == last(x) && rows(out) == rows(x), call,
           "gives the shape and type of its x");
    for (const TensorView& weight : call.weights) {
        expect(weight.dtype == x.dtype && weight.elements() == last(x), call,
               "takes weights [d] of x's type for x [.., d]");
    }
}

}  // namespace

void rms_norm(const OperatorCall& call, cudaStream_t stream) {
    check_norm(call);
    const TensorView& x = call.inputs[0];
    with_float(x.dtype, [&]<typename T>(T) {
        constexpr int pack = 16 / sizeof(T);
        const bool packed = packs_evenly(call);
        launch("rms_norm", packed ? rms_norm_kernel<T, pack> : rms_norm_kernel<T, 1>, grid_size(rows(x)),
               threads_for(last(x) / (packed ? pack : 1), rows(x)), 0, stream, pointer<const T>(x),
               pointer<const T>(call.weights[0]), pointer<T>(call.outputs[0]), last(x),
               call.parameters.epsilon);
    });
}

void layer_norm(const OperatorCall& call, cudaStream_t stream) {
    check_norm(call);
    const TensorView& x = call.inputs[0];
    with_float(x.dtype, [&]<typename T>(T) {
        constexpr int pack = 16 / sizeof(T);
        const bool packed = packs_evenly(call);
        launch("layer_norm", packed ? layer_norm_kernel<T, pack> : layer_norm_kernel<T, 1>,
               grid_size(rows(x)), threads_for(last(x) / (packed ? pack : 1), rows(x)), 0, stream,
               pointer<const T>(x), pointer<const T>(call.weights[0]), pointer<const T>(call.weights[1]),
               pointer<T>(call.outputs[0]), last(x), call.parameters.epsilon);
    });
}

void softmax(const OperatorCall& call, cudaStream_t stream) {
    check_norm(call);
    const TensorView& x = call.inputs[0];
    with_float(x.dtype, [&]<typename T>(T) {
        constexpr int pack = 16 / sizeof(T);
        const bool packed = packs_evenly(call);
        launch("softmax", packed ? softmax_kernel<T, pack> : softmax_kernel<T, 1>, grid_size(rows(x)),
               threads_for(last(x) / (packed ? pack : 1), rows(x)), 0, stream, pointer<const T>(x),
               pointer<T>(call.outputs[0]), last(x));
    });
}

}  // namespace graphplan::cuda::kernels
