#include "cuda/kernels/attention.cuh"
#include "cuda/kernels/launch.cuh"

namespace graphplan::cuda::kernels {
namespace {

constexpr int kThreads = 128;

struct Destination {
    std::int64_t row, position;
};

// Decode has a page-table row a token; packed rows count their positions from where they begin.
template <bool Decode>
__device__ Destination destination_of(std::int64_t token, const Indices& positions, const PackedRows& rows) {
    if constexpr (Decode) return {token, positions[token]};
    const int row = rows.row_of(token);
    return {row, row < 0 ? -1 : token - rows.offsets[row]};
}

// Positions beyond the page table are padding: they write nothing.
template <typename Unit, bool Decode>
__global__ void write_cache_kernel(const Unit* k, const Unit* v, PagedCache cache, Indices positions,
                                   PackedRows rows, std::int64_t units) {
    wait_for_previous();
    const std::int64_t token = blockIdx.x;
    const Destination to = destination_of<Decode>(token, positions, rows);
    if (to.position < 0 || to.position >= cache.capacity()) return;
    const std::int64_t at = cache.token(to.row, to.position) * units;
    auto* keys = static_cast<Unit*>(const_cast<void*>(cache.keys)) + at;
    auto* values = static_cast<Unit*>(const_cast<void*>(cache.values)) + at;
    for (std::int64_t i = threadIdx.x; i < units; i += kThreads) {
        keys[i] = k[token * units + i];
        values[i] = v[token * units + i];
    }
}

}  // namespace

void write_cache(const OperatorCall& call, cudaStream_t stream) {
    const bool decode = call.kind == OperatorKind::paged_attention;
    const TensorView& k = call.inputs[1];
    const TensorView& v = call.inputs[2];
    const PagedCache cache = decode ? PagedCache(call, call.inputs[3], call.inputs[4])
                                    : PagedCache(call, call.inputs[4], call.inputs[5]);
    const Bytes row = k.bytes() / k.shape[0];
    const auto run = [&]<typename Unit>(Unit) {
        launch("attention: write cache",
               decode ? write_cache_kernel<Unit, true> : write_cache_kernel<Unit, false>,
               grid_size(k.shape[0]), kThreads, 0, stream, pointer<const Unit>(k), pointer<const Unit>(v),
               cache, decode ? Indices(call.inputs[5]) : Indices(),
               decode ? PackedRows() : PackedRows(call.inputs[3]), row / static_cast<Bytes>(sizeof(Unit)));
    };
    const bool aligned = row % 16 == 0 && is_aligned(k.address) && is_aligned(v.address) &&
                         is_aligned(reinterpret_cast<Address>(cache.keys)) &&
                         is_aligned(reinterpret_cast<Address>(cache.values));
    if (aligned) return run(uint4{});
    size_of(k.dtype) == 4 ? run(std::uint32_t{}) : run(std::uint16_t{});
}

}  // namespace graphplan::cuda::kernels
