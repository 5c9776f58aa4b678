#include "cuda/operators/collectives.hpp"

#include "cuda/operators/check_call.hpp"
#include "cuda/operators/status.hpp"

namespace graphplan::cuda {

void Collectives::all_reduce(const OperatorCall& call, cudaStream_t stream) {
    const TensorView& x = call.inputs[0];
    const TensorView& out = call.outputs[0];
    expect(call.parameters.ranks >= 1 && is_float(x.dtype) && x.dtype == out.dtype &&
               x.elements() == out.elements(),
           call, "takes at least one rank and gives the shape and floating-point type of its x");
    if (call.parameters.ranks > 1) return sum(call, stream);
    if (x.address == out.address) return;
    check(cudaMemcpyAsync(reinterpret_cast<void*>(out.address), reinterpret_cast<const void*>(x.address),
                          static_cast<std::size_t>(x.bytes()), cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync");
}

}  // namespace graphplan::cuda
