// Attention in plain fp32 arithmetic, for types and head sizes that the tensor-core kernels don't take; and
// the merge of contexts that were read in parts. A block reads a part of one token's context for all query
// heads of a kv head, a tile of keys at a time.
#include "cuda/kernels/attention.cuh"
#include "cuda/kernels/launch.cuh"

namespace graphplan::cuda::kernels {
namespace {

constexpr int kThreads = 128;
constexpr int kKeys = 16;

// In shared memory, all floats: queries and sums [group, d], keys [kKeys, d + 1], values [kKeys, d],
// weights [group, kKeys], then maximum, total and shrink of each head.
struct Memory {
    float *q, *sums, *keys, *values, *weights, *most, *total, *shrink;

    __device__ Memory(float* start, const Heads& heads) {
        q = start;
        sums = q + heads.group * heads.d;
        keys = sums + heads.group * heads.d;
        values = keys + kKeys * (heads.d + 1);
        weights = values + kKeys * heads.d;
        most = weights + heads.group * kKeys;
        total = most + heads.group;
        shrink = total + heads.group;
    }
    static std::size_t bytes(const Heads& heads) {
        const std::size_t group = heads.group;
        const std::size_t d = heads.d;
        return 4 * (2 * group * d + kKeys * (2 * d + 1) + group * (kKeys + 3));
    }
};

template <typename T>
__device__ void load_queries(const Memory& memory, const T* q, const Heads& heads) {
    for (int i = static_cast<int>(threadIdx.x); i < heads.group * heads.d; i += kThreads) {
        memory.q[i] = to_float(q[i]) * heads.scale_log2;
        memory.sums[i] = 0;
    }
    for (int i = static_cast<int>(threadIdx.x); i < heads.group; i += kThreads) {
        memory.most[i] = -INFINITY;
        memory.total[i] = 0;
    }
}

// token(key) is where a key lies, in tokens of the cache or of the packed rows.
template <typename T, typename Token>
__device__ void load_keys(const Memory& memory, const T* k, const T* v, const Heads& heads, int kv_head,
                          Part part, Token&& token) {
    for (int i = static_cast<int>(threadIdx.x); i < kKeys * heads.d; i += kThreads) {
        const int key = i / heads.d;
        const int column = i % heads.d;
        const bool there = part.first + key < part.end;
        const std::int64_t from =
            there ? (token(part.first + key) * heads.kv_heads + kv_head) * heads.d + column : 0;
        memory.keys[key * (heads.d + 1) + column] = there ? to_float(k[from]) : 0;
        memory.values[i] = there ? to_float(v[from]) : 0;
    }
}

__device__ void score(const Memory& memory, const Heads& heads, int keys) {
    for (int i = static_cast<int>(threadIdx.x); i < heads.group * kKeys; i += kThreads) {
        const float* q = memory.q + i / kKeys * heads.d;
        const float* k = memory.keys + i % kKeys * (heads.d + 1);
        float sum = 0;
        for (int column = 0; column < heads.d; ++column) sum += q[column] * k[column];
        memory.weights[i] = i % kKeys < keys ? sum : -INFINITY;
    }
}

__device__ void weigh(const Memory& memory, const Heads& heads) {
    for (int head = static_cast<int>(threadIdx.x); head < heads.group; head += kThreads) {
        float* weights = memory.weights + head * kKeys;
        float most = memory.most[head];
        for (int key = 0; key < kKeys; ++key) most = fmaxf(most, weights[key]);
        memory.shrink[head] = exp2f(memory.most[head] - most);
        float total = memory.total[head] * memory.shrink[head];
        for (int key = 0; key < kKeys; ++key) {
            weights[key] = exp2f(weights[key] - most);
            total += weights[key];
        }
        memory.most[head] = most;
        memory.total[head] = total;
    }
}

__device__ void add_values(const Memory& memory, const Heads& heads) {
    for (int i = static_cast<int>(threadIdx.x); i < heads.group * heads.d; i += kThreads) {
        const int head = i / heads.d;
        float sum = memory.sums[i] * memory.shrink[head];
        for (int key = 0; key < kKeys; ++key) {
            sum += memory.weights[head * kKeys + key] * memory.values[key * heads.d + i % heads.d];
        }
        memory.sums[i] = sum;
    }
}

template <typename T, typename Token>
__device__ void attend(const Memory& memory, const T* k, const T* v, const Heads& heads, int kv_head,
                       Part part, Token&& token) {
    for (; part.first < part.end; part.first += kKeys) {
        load_keys(memory, k, v, heads, kv_head, part, token);
        __syncthreads();
        score(memory, heads, part.end - part.first);
        __syncthreads();
        weigh(memory, heads);
        __syncthreads();
        add_values(memory, heads);
        __syncthreads();
    }
}

template <typename T>
__device__ void store(const Memory& memory, T* out, const Heads& heads, std::int64_t first_head,
                      const Partials& partials, int split) {
    for (int i = static_cast<int>(threadIdx.x); i < heads.group * heads.d; i += kThreads) {
        const int head = i / heads.d;
        const float total = memory.total[head];
        const std::int64_t part = (first_head + head) * partials.splits + split;
        if (partials.splits == 1) {
            out[first_head * heads.d + i] = from_float<T>(total > 0 ? memory.sums[i] / total : 0);
        } else {
            partials.sums[part * heads.d + i % heads.d] = memory.sums[i];
            if (i % heads.d == 0) partials.scales[part] = make_float2(memory.most[head], total);
        }
    }
}

// grid: splits, kv heads, tokens
template <typename T>
__global__ void decode_kernel(const T* q, PagedCache cache, Indices positions, T* out, Heads heads,
                              Partials partials) {
    wait_for_previous();
    extern __shared__ float shared[];
    const Memory memory(shared, heads);
    const int kv_head = static_cast<int>(blockIdx.y);
    const std::int64_t first_head =
        static_cast<std::int64_t>(blockIdx.z) * heads.heads + kv_head * heads.group;
    load_queries(memory, q + first_head * heads.d, heads);
    __syncthreads();
    const Part part = part_of(context_of(positions[blockIdx.z], cache), kKeys, 4,
                              static_cast<int>(blockIdx.x), partials.splits);
    attend(memory, static_cast<const T*>(cache.keys), static_cast<const T*>(cache.values), heads, kv_head,
           part, [&](int key) { return cache.token(blockIdx.z, key); });
    store(memory, out, heads, first_head, partials, static_cast<int>(blockIdx.x));
}

// grid: tokens, kv heads
template <typename T>
__global__ void prefill_kernel(const T* q, const T* k, const T* v, PackedRows packed, T* out, Heads heads,
                               Partials whole) {
    wait_for_previous();
    extern __shared__ float shared[];
    const Memory memory(shared, heads);
    const std::int64_t token = blockIdx.x;
    const int kv_head = static_cast<int>(blockIdx.y);
    const std::int64_t first_head = token * heads.heads + kv_head * heads.group;
    load_queries(memory, q + first_head * heads.d, heads);
    __syncthreads();
    const int row = packed.row_of(token);
    const std::int64_t start = row < 0 ? 0 : packed.offsets[row];
    const Part part{0, row < 0 ? 0 : static_cast<int>(token - start) + 1};
    attend(memory, k, v, heads, kv_head, part, [&](int key) { return start + key; });
    store(memory, out, heads, first_head, whole, 0);
}

// grid: token × head
template <typename T>
__global__ void merge_kernel(Partials partials, T* out, int d) {
    wait_for_previous();
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * partials.splits;
    float most = -INFINITY;
    for (int i = 0; i < partials.splits; ++i) most = fmaxf(most, partials.scales[first + i].x);
    if (most == -INFINITY) most = 0;
    float total = 0;
    for (int i = 0; i < partials.splits; ++i) {
        total += partials.scales[first + i].y * exp2f(partials.scales[first + i].x - most);
    }
    const float scale = total > 0 ? 1.0F / total : 0.0F;
    for (int column = static_cast<int>(threadIdx.x); column < d; column += static_cast<int>(blockDim.x)) {
        float sum = 0;
        for (int i = 0; i < partials.splits; ++i) {
            sum += partials.sums[(first + i) * d + column] * exp2f(partials.scales[first + i].x - most);
        }
        out[static_cast<std::int64_t>(blockIdx.x) * d + column] = from_float<T>(sum * scale);
    }
}

}  // namespace

bool fits_tensor_cores(const OperatorCall& call) {
    const TensorView& q = call.inputs[0];
    bool fits =
        q.dtype != DType::f32 && last(q) % 8 == 0 && last(q) <= 256 && is_aligned(call.outputs[0].address);
    for (std::size_t i = 0; i < call.inputs.size() && i < 3; ++i)
        fits = fits && is_aligned(call.inputs[i].address);
    const std::size_t cache = call.kind == OperatorKind::paged_attention ? 3 : 4;
    return fits && (cache >= call.inputs.size() || is_aligned(call.inputs[cache].address));
}

void check_attention_plain(const OperatorCall& call) {
    constexpr std::size_t most = 160 * 1024;
    expect(Memory::bytes(Heads(call)) <= most, call,
           "takes heads whose queries fit 160 KiB of shared memory");
}

void paged_attention_plain(const OperatorCall& call, std::int64_t splits, Address partials,
                           cudaStream_t stream) {
    const Heads heads(call);
    const dim3 grid(grid_size(splits), grid_size(heads.kv_heads), grid_size(call.inputs[0].shape[0]));
    with_float(call.inputs[0].dtype, [&]<typename T>(T) {
        allow_shared("paged_attention", decode_kernel<T>, Memory::bytes(heads));
        launch("paged_attention", decode_kernel<T>, grid, kThreads, Memory::bytes(heads), stream,
               pointer<const T>(call.inputs[0]), PagedCache(call, call.inputs[3], call.inputs[4]),
               Indices(call.inputs[5]), pointer<T>(call.outputs[0]), heads, Partials(call, splits, partials));
    });
}

void causal_attention_plain(const OperatorCall& call, cudaStream_t stream) {
    const Heads heads(call);
    const dim3 grid(grid_size(call.inputs[0].shape[0]), grid_size(heads.kv_heads));
    with_float(call.inputs[0].dtype, [&]<typename T>(T) {
        allow_shared("causal_attention", prefill_kernel<T>, Memory::bytes(heads));
        launch("causal_attention", prefill_kernel<T>, grid, kThreads, Memory::bytes(heads), stream,
               pointer<const T>(call.inputs[0]), pointer<const T>(call.inputs[1]),
               pointer<const T>(call.inputs[2]), PackedRows(call.inputs[3]), pointer<T>(call.outputs[0]),
               heads, Partials(call, 1, 0));
    });
}

Bytes partial_bytes(const OperatorCall& call, std::int64_t splits) {
    const TensorView& out = call.outputs[0];
    return (out.elements() + 2 * rows(out)) * splits * size_of(DType::f32);
}

void merge_partials(const OperatorCall& call, std::int64_t splits, Address partials, cudaStream_t stream) {
    const TensorView& out = call.outputs[0];
    with_float(out.dtype, [&]<typename T>(T) {
        launch("paged_attention: merge", merge_kernel<T>, grid_size(rows(out)), 64, 0, stream,
               Partials(call, splits, partials), pointer<T>(out), last(out));
    });
}

}  // namespace graphplan::cuda::kernels
