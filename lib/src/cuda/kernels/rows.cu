// Copies of rows: what an operator does is which row it reads for each that it writes.
#include "cuda/kernels/device.cuh"
#include "cuda/kernels/kernels.hpp"
#include "cuda/kernels/launch.cuh"

namespace graphplan::cuda::kernels {
namespace {

struct Same {
    __device__ std::int64_t source(std::int64_t row) const { return row; }
};
struct Looked {
    Indices ids;
    std::int64_t rows;
    __device__ std::int64_t source(std::int64_t row) const {
        const std::int64_t id = ids[row];
        return id >= 0 && id < rows ? id : -1;
    }
};
struct Last {
    Indices offsets;
    std::int64_t tokens;
    __device__ std::int64_t source(std::int64_t row) const {
        const std::int64_t end = offsets[row + 1];
        return end > offsets[row] && end <= tokens ? end - 1 : -1;
    }
};

constexpr int kLanes = 32;
constexpr int kRowsABlock = 8;

template <typename Unit, typename Map>
__global__ void copy_rows(const Unit* from, std::int64_t from_stride, Unit* to, std::int64_t units,
                          std::int64_t rows, Map map) {
    wait_for_previous();
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kRowsABlock + threadIdx.y;
    if (row >= rows) return;
    const std::int64_t source = map.source(row);
    for (std::int64_t i = blockIdx.y * kLanes + threadIdx.x; i < units; i += gridDim.y * kLanes) {
        to[row * units + i] = source < 0 ? Unit{} : from[source * from_stride + i];
    }
}

template <typename Map>
void run_copy(const OperatorCall& call, const TensorView& from, std::int64_t offset, const Map& map,
              cudaStream_t stream) {
    const TensorView& to = call.outputs[0];
    const Bytes element = size_of(to.dtype);
    const Bytes stride = last(from) * element;
    const Bytes length = last(to) * element;
    const Address start = from.address + static_cast<Address>(offset * element);
    const auto run = [&]<typename Unit>(Unit) {
        constexpr auto unit = static_cast<Bytes>(sizeof(Unit));
        const std::int64_t columns = std::min<std::int64_t>(ceil_div(length / unit, kLanes * 2), 65535);
        launch(to_string(call.kind), copy_rows<Unit, Map>,
               dim3(grid_size(ceil_div(rows(to), kRowsABlock)), grid_size(columns)),
               dim3(kLanes, kRowsABlock), 0, stream, reinterpret_cast<const Unit*>(start), stride / unit,
               pointer<Unit>(to), length / unit, rows(to), map);
    };
    const auto divides = [&](Bytes unit) {
        return (start | to.address | static_cast<Address>(stride | length)) % static_cast<Address>(unit) == 0;
    };
    if (divides(16)) return run(uint4{});
    if (element == 8) return run(std::uint64_t{});
    if (element == 4) return run(std::uint32_t{});
    if (element == 2) return run(std::uint16_t{});
    run(std::uint8_t{});
}

}  // namespace

void embedding(const OperatorCall& call, cudaStream_t stream) {
    const TensorView& ids = call.inputs[0];
    const TensorView& table = call.weights[0];
    const TensorView& out = call.outputs[0];
    expect(is_index(ids.dtype) && table.shape.size() == 2 && out.dtype == table.dtype &&
               last(out) == table.shape[1] && rows(out) == ids.elements(),
           call, "takes ids of i32 or i64 and a table [rows, features], and gives [ids, features]");
    run_copy(call, table, 0, Looked{Indices(ids), table.shape[0]}, stream);
}

void slice(const OperatorCall& call, cudaStream_t stream) {
    const TensorView& x = call.inputs[0];
    const TensorView& out = call.outputs[0];
    const std::int64_t offset = call.parameters.offset;
    expect(x.dtype == out.dtype && rows(x) == rows(out) && offset >= 0 && offset + last(out) <= last(x), call,
           "takes x [.., d] and gives a piece [.., n] within its last dimension");
    run_copy(call, x, offset, Same{}, stream);
}

void last_rows(const OperatorCall& call, cudaStream_t stream) {
    const TensorView& x = call.inputs[0];
    const TensorView& offsets = call.inputs[1];
    const TensorView& out = call.outputs[0];
    expect(is_index(offsets.dtype) && x.shape.size() == 2 && x.dtype == out.dtype && last(x) == last(out) &&
               rows(out) == offsets.elements() - 1,
           call, "takes x [tokens, f] and row offsets [rows + 1] and gives [rows, f]");
    run_copy(call, x, 0, Last{Indices(offsets), x.shape[0]}, stream);
}

}  // namespace graphplan::cuda::kernels
