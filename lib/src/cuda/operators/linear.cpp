#include "cuda/operators/linear.hpp"

#include <algorithm>

#include "cuda/operators/check_call.hpp"
#include "cuda/operators/status.hpp"

namespace graphplan::cuda {
namespace {

// The largest power of two, up to 256, that divides every address.
std::uint32_t alignment_of(const Matmul& matmul) {
    const Address all = matmul.x | matmul.weight | matmul.bias | matmul.y | 256;
    return static_cast<std::uint32_t>(all & ~(all - 1));
}

}  // namespace

Linear::Linear() { check(cublasLtCreate(&handle_), "cublasLtCreate"); }

Linear::~Linear() {
    plans_.clear();
    cublasLtDestroy(handle_);
}

void Linear::run(const OperatorCall& call, Scratch& scratch, cudaStream_t stream, bool capturing) {
    const TensorView& x = call.inputs[0];
    const TensorView& weight = call.weights[0];
    const TensorView& y = call.outputs[0];
    expect(is_float(x.dtype) && weight.dtype == x.dtype && (y.dtype == x.dtype || y.dtype == DType::f32),
           call, "takes x and weight of one floating-point type and gives that or f32");
    expect(weight.shape.size() == 2 && weight.shape[1] == last(x) && last(y) == weight.shape[0] &&
               rows(y) == rows(x),
           call, "takes x [.., k] and weight [n, k] and gives [.., n]");
    const bool has_bias = call.weights.size() == 2;
    expect(!has_bias || (call.weights[1].elements() == weight.shape[0] && call.weights[1].dtype == y.dtype),
           call, "takes a bias [n] of the result's type");
    const Matmul matmul{x.address, weight.address, has_bias ? call.weights[1].address : 0, y.address, 0};
    run(matmul, {rows(x), weight.shape[0], last(x), x.dtype, y.dtype, has_bias, 0}, scratch, stream,
        capturing);
}

void Linear::run_to_f32(const TensorView& x, const TensorView& weight, Address out, Scratch& scratch,
                        cudaStream_t stream, bool capturing) {
    run({x.address, weight.address, 0, out, 0},
        {rows(x), weight.shape[0], last(x), x.dtype, DType::f32, false, 0}, scratch, stream, capturing);
}

void Linear::run(const Matmul& matmul, const MatmulShape& shape, Scratch& scratch, cudaStream_t stream,
                 bool capturing) {
    Matmul full = matmul;
    full.workspace = scratch.workspace("cublaslt", MatmulPlan::kWorkspace);
    MatmulShape key = shape;
    key.alignment = alignment_of(matmul);
    MatmulPlan& plan = plans_.try_emplace(key, handle_, key).first->second;
    if (!capturing && !plan.searched()) plan.search(full, stream);
    plan.run(full, stream);
}

}  // namespace graphplan::cuda
