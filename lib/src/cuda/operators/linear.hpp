// Matrix products through cuBLASLt.
#pragma once

#include <cublasLt.h>
#include <cuda_runtime.h>

#include <map>

#include "cuda/operators/matmul_plan.hpp"
#include "graphplan/operators.hpp"

namespace graphplan::cuda {

/// One a device. Outside of captures the first call of each shape times those of the library's algorithms
/// that have as many kernels as its first choice and keeps the fastest; a captured call takes what is kept,
/// else the library's first choice. Every call wants the same workspace, so that memory doesn't depend on
/// which algorithm wins.
class Linear {
  public:
    Linear();
    ~Linear();
    Linear(const Linear&) = delete;
    Linear& operator=(const Linear&) = delete;

    /// y = x · weightᵀ (+ bias). @throws Error
    void run(const OperatorCall& call, Scratch& scratch, cudaStream_t stream, bool capturing);
    /// The same into f32, whatever x is: [rows of x, rows of weight] at `out`.
    void run_to_f32(const TensorView& x, const TensorView& weight, Address out, Scratch& scratch,
                    cudaStream_t stream, bool capturing);

  private:
    void run(const Matmul& matmul, const MatmulShape& shape, Scratch& scratch, cudaStream_t stream,
             bool capturing);

    cublasLtHandle_t handle_ = nullptr;
    std::map<MatmulShape, MatmulPlan> plans_;
};

}  // namespace graphplan::cuda
