// One block a row of logits.
#include "cuda/kernels/device.cuh"
#include "cuda/kernels/kernels.hpp"
#include "cuda/kernels/launch.cuh"

namespace graphplan::cuda::kernels {
namespace {

constexpr int kThreads = 1024;

struct Best {
    float value;
    int id;
};

// NaN never wins; with nothing but NaN the result is id 0.
__device__ Best better(Best a, Best b) {
    const bool second = b.value > a.value || (b.value == a.value && b.id < a.id);
    return second ? b : a;
}

__device__ Best best_of_warp(Best best) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
        best =
            better(best, {__shfl_xor_sync(~0u, best.value, offset), __shfl_xor_sync(~0u, best.id, offset)});
    }
    return best;
}

__device__ Best best_of_block(Best best) {
    __shared__ Best parts[kThreads / 32];
    best = best_of_warp(best);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = best;
    __syncthreads();
    return best_of_warp(parts[threadIdx.x % 32]);
}

constexpr int kNone = 0x7fffffff;

template <typename T, int N>
__global__ void argmax_kernel(const T* logits, std::int32_t* out, int vocabulary) {
    wait_for_previous();
    const T* row = logits + static_cast<std::int64_t>(blockIdx.x) * vocabulary;
    Best best{-INFINITY, kNone};
    for (int i = static_cast<int>(threadIdx.x) * N; i < vocabulary; i += kThreads * N) {
        const auto pack = *reinterpret_cast<const Pack<T, N>*>(row + i);
#pragma unroll
        for (int j = 0; j < N; ++j) best = better(best, {to_float(pack.values[j]), i + j});
    }
    best = best_of_block(best);
    if (threadIdx.x == 0) out[blockIdx.x] = best.id == kNone ? 0 : best.id;
}

// Larger keys are larger logits, among equal ones lower ids: no two of a row are equal.
__device__ std::uint64_t key_of(float logit, int id) {
    std::uint32_t bits = logit != logit ? 0xffffffffu : __float_as_uint(logit);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return static_cast<std::uint64_t>(bits) << 32 | static_cast<std::uint32_t>(~id);
}

struct Selection {
    std::uint64_t prefix;  // the digits of the k-th largest key that are known
    int shift;             // bits that aren't
    int wanted;            // how many of the keys with this prefix are among the k largest
    int there;             // how many keys have it
};

// Thread 0 walks the counts from the largest digit down.
__device__ void narrow(Selection& selection, const int* counts) {
    int digit = 255;
    while (counts[digit] < selection.wanted) selection.wanted -= counts[digit--];
    selection.prefix = selection.prefix << 8 | static_cast<std::uint64_t>(digit);
    selection.shift -= 8;
    selection.there = counts[digit];
}

/// The least of the k largest keys of a row, or a bound between it and the next: by radix, 8 bits a pass.
template <typename T>
__device__ std::uint64_t least_of_top(const T* row, int vocabulary, int k) {
    __shared__ int counts[256];
    __shared__ Selection selection;
    if (threadIdx.x == 0) selection = {0, 64, k, vocabulary};
    __syncthreads();
    while (selection.wanted < selection.there) {
        if (threadIdx.x < 256) counts[threadIdx.x] = 0;
        __syncthreads();
        const int shift = selection.shift;
        const std::uint64_t prefix = selection.prefix;
        for (int i = static_cast<int>(threadIdx.x); i < vocabulary; i += kThreads) {
            const std::uint64_t key = key_of(to_float(row[i]), i);
            if (shift == 64 || key >> shift == prefix) atomicAdd(&counts[key >> (shift - 8) & 255], 1);
        }
        __syncthreads();
        if (threadIdx.x == 0) narrow(selection, counts);
        __syncthreads();
    }
    return selection.shift == 64 ? 0 : selection.prefix << selection.shift;
}

// Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3": Philox 4x32-10.
__device__ std::uint32_t philox(uint4 counter, uint2 key) {
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const std::uint32_t high0 = __umulhi(0xD2511F53u, counter.x);
        const std::uint32_t high1 = __umulhi(0xCD9E8D57u, counter.z);
        counter = make_uint4(high1 ^ counter.y ^ key.x, 0xCD9E8D57u * counter.z, high0 ^ counter.w ^ key.y,
                             0xD2511F53u * counter.x);
        key = make_uint2(key.x + 0x9E3779B9u, key.y + 0xBB67AE85u);
    }
    return counter.x;
}

// The id whose exponential clock rings first is distributed as the softmax: no sum and no sort.
template <typename T>
__global__ void top_k_kernel(const T* logits, const std::uint64_t* state, std::int32_t* out, int vocabulary,
                             int k, float inverse_temperature) {
    wait_for_previous();
    const T* row = logits + static_cast<std::int64_t>(blockIdx.x) * vocabulary;
    const std::uint64_t least = least_of_top(row, vocabulary, k);
    const auto seed =
        make_uint2(static_cast<std::uint32_t>(state[0]), static_cast<std::uint32_t>(state[0] >> 32));
    const std::uint64_t offset = state[1];
    Best best{-INFINITY, kNone};
    for (int i = static_cast<int>(threadIdx.x); i < vocabulary; i += kThreads) {
        const float logit = to_float(row[i]);
        if (key_of(logit, i) < least) continue;
        const std::uint32_t bits =
            philox(make_uint4(static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(offset >> 32),
                              blockIdx.x, static_cast<std::uint32_t>(i)),
                   seed);
        const float uniform = (static_cast<float>(bits >> 9) + 0.5F) * 0x1p-23F;
        best = better(best, {logit * inverse_temperature - logf(-logf(uniform)), i});
    }
    best = best_of_block(best);
    if (threadIdx.x == 0) out[blockIdx.x] = best.id == kNone ? 0 : best.id;
}

__global__ void advance_kernel(std::uint64_t* state) {
    wait_for_previous();
    state[1] += 4;
}

void check_rows(const OperatorCall& call) {
    const TensorView& logits = call.inputs[0];
    expect(is_float(logits.dtype) && logits.shape.size() == 2 && last(logits) < kNone, call,
           "takes logits [rows, vocabulary]");
    expect(call.outputs[0].dtype == DType::i32 && call.outputs[0].elements() == rows(logits), call,
           "gives an id i32 for each row");
}

}  // namespace

void sample_argmax(const OperatorCall& call, cudaStream_t stream) {
    check_rows(call);
    const TensorView& logits = call.inputs[0];
    with_float(logits.dtype, [&]<typename T>(T) {
        constexpr int pack = 16 / sizeof(T);
        const bool packed = last(logits) % pack == 0 && is_aligned(logits.address);
        launch("sample_argmax", packed ? argmax_kernel<T, pack> : argmax_kernel<T, 1>,
               grid_size(rows(logits)), kThreads, 0, stream, pointer<const T>(logits),
               pointer<std::int32_t>(call.outputs[0]), last(logits));
    });
}

void sample_top_k(const OperatorCall& call, cudaStream_t stream) {
    check_rows(call);
    const TensorView& logits = call.inputs[0];
    const TensorView& state = call.inputs[1];
    const std::int64_t k = call.parameters.top_k;
    expect(k >= 1 && k <= last(logits) && call.parameters.temperature > 0, call,
           "takes a top_k from 1 to the vocabulary and a temperature above 0");
    expect(state.dtype == DType::i64 && state.elements() == 2, call, "takes a state i64 [2]: seed, offset");
    with_float(logits.dtype, [&]<typename T>(T) {
        launch("sample_top_k", top_k_kernel<T>, grid_size(rows(logits)), kThreads, 0, stream,
               pointer<const T>(logits), pointer<const std::uint64_t>(state),
               pointer<std::int32_t>(call.outputs[0]), last(logits), k, 1.0 / call.parameters.temperature);
    });
    launch("sample_top_k: advance", advance_kernel, 1, 1, 0, stream, pointer<std::uint64_t>(state));
}

}  // namespace graphplan::cuda::kernels
