// One shape of matrix product: cuBLASLt's descriptors for it and the algorithm that it runs by.
#pragma once

#include <cublasLt.h>
#include <cuda_runtime.h>

#include <compare>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "graphplan/operators.hpp"

namespace graphplan::cuda {

/// What decides on an algorithm.
struct MatmulShape {
    std::int64_t rows = 0, columns = 0, depth = 0;  ///< of y = x · weightᵀ: [rows, columns]
    DType type = DType::f32, result_type = DType::f32;
    bool has_bias = false;
    std::uint32_t alignment = 16;  ///< that all operands share, at most 256
    auto operator<=>(const MatmulShape&) const = default;
};

/// The operands of one call.
struct Matmul {
    Address x = 0, weight = 0, bias = 0, y = 0;
    Address workspace = 0;
};

class MatmulPlan {
  public:
    /// The bytes of workspace that every product may use: cuBLAS's own default on Hopper.
    static constexpr Bytes kWorkspace = 32 * kMiB;

    /// Asks the library for algorithms, of which those with as many kernels as its first choice are kept.
    /// @throws Error where it has none
    MatmulPlan(cublasLtHandle_t handle, const MatmulShape& shape);

    /// Times the algorithms on these operands; a later one wins only if it is clearly faster.
    void search(const Matmul& matmul, cudaStream_t stream);
    bool searched() const noexcept { return searched_; }
    void run(const Matmul& matmul, cudaStream_t stream) const;

  private:
    struct Destroy {
        void operator()(cublasLtMatmulDesc_t d) const noexcept { cublasLtMatmulDescDestroy(d); }
        void operator()(cublasLtMatrixLayout_t l) const noexcept { cublasLtMatrixLayoutDestroy(l); }
        void operator()(cublasLtMatmulPreference_t p) const noexcept { cublasLtMatmulPreferenceDestroy(p); }
        void operator()(cudaEvent_t e) const noexcept { cudaEventDestroy(e); }
    };
    template <typename Handle>
    using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy>;

    static Owned<cublasLtMatrixLayout_t> layout(DType type, std::int64_t rows, std::int64_t columns);
    void find_algorithms(std::uint32_t alignment);
    cublasStatus_t launch(const Matmul& matmul, const cublasLtMatmulAlgo_t& algorithm,
                          cudaStream_t stream) const;
    float time(const Matmul& matmul, const cublasLtMatmulAlgo_t& algorithm, float to_beat,
               cudaStream_t stream) const;

    cublasLtHandle_t handle_;
    bool has_bias_;
    Owned<cublasLtMatmulDesc_t> product_;
    Owned<cublasLtMatrixLayout_t> weight_, x_, y_;
    std::vector<cublasLtMatmulAlgo_t> algorithms_;  ///< the library's first choice first
    std::size_t chosen_ = 0;
    bool searched_ = false;
};

}  // namespace graphplan::cuda
