#include "cuda/operators/matmul_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "cuda/operators/status.hpp"

namespace graphplan::cuda {
namespace {

constexpr int kAlgorithms = 16;
constexpr int kRuns = 3;
// Noise must not decide: the choice would change from run to run.
constexpr float kClearlyFaster = 0.97F;
// What is so much slower than the best so far is not run again.
constexpr float kHopeless = 1.3F;

/// How an algorithm adds up the parts of a split product: a reduction apart is a kernel more. One that does
/// not tell is taken to split nothing.
std::uint32_t reduction_of(const cublasLtMatmulAlgo_t& algorithm) {
    const auto get = [&](cublasLtMatmulAlgoConfigAttributes_t attribute, auto& value) {
        return cublasLtMatmulAlgoConfigGetAttribute(&algorithm, attribute, &value, sizeof(value), nullptr) ==
               CUBLAS_STATUS_SUCCESS;
    };
    std::int32_t parts = 0;
    std::uint32_t scheme = 0;
    const bool splits = get(CUBLASLT_ALGO_CONFIG_SPLITK_NUM, parts) && parts > 1;
    return splits && get(CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, scheme) ? scheme : 0;
}

cudaDataType_t type_of(DType type) {
    if (type == DType::f16) return CUDA_R_16F;
    return type == DType::bf16 ? CUDA_R_16BF : CUDA_R_32F;
}

}  // namespace

// cuBLASLt is column-major: it computes yᵀ [columns, rows] = weight · xᵀ. COMPUTE_32F keeps fp32 products
// whole; only the FAST_TF32 kinds cut them.
MatmulPlan::MatmulPlan(cublasLtHandle_t handle, const MatmulShape& shape)
    : handle_(handle),
      has_bias_(shape.has_bias),
      weight_(layout(shape.type, shape.depth, shape.columns)),
      x_(layout(shape.type, shape.depth, shape.rows)),
      y_(layout(shape.result_type, shape.columns, shape.rows)) {
    cublasLtMatmulDesc_t product = nullptr;
    check(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F), "cublasLtMatmulDescCreate");
    product_.reset(product);
    const cublasOperation_t transposed = CUBLAS_OP_T;
    check(
        cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof(transposed)),
        "cublasLtMatmulDescSetAttribute");
    if (has_bias_) {
        const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_BIAS;
        check(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                             sizeof(epilogue)),
              "cublasLtMatmulDescSetAttribute");
    }
    find_algorithms(shape.alignment);
    if (algorithms_.empty()) {
        throw Error(
            ErrorCode::device,
            fmt::format("cublasLtMatmulAlgoGetHeuristic has no algorithm for a {} product of {} × {} × {}",
                        to_string(shape.type), shape.rows, shape.columns, shape.depth));
    }
}

MatmulPlan::Owned<cublasLtMatrixLayout_t> MatmulPlan::layout(DType type, std::int64_t rows,
                                                             std::int64_t columns) {
    cublasLtMatrixLayout_t layout = nullptr;
    check(cublasLtMatrixLayoutCreate(&layout, type_of(type), static_cast<std::uint64_t>(rows),
                                     static_cast<std::uint64_t>(columns), rows),
          "cublasLtMatrixLayoutCreate");
    return Owned<cublasLtMatrixLayout_t>(layout);
}

void MatmulPlan::find_algorithms(std::uint32_t alignment) {
    cublasLtMatmulPreference_t created = nullptr;
    check(cublasLtMatmulPreferenceCreate(&created), "cublasLtMatmulPreferenceCreate");
    const Owned<cublasLtMatmulPreference_t> preference(created);
    const auto set = [&](cublasLtMatmulPreferenceAttributes_t attribute, auto value) {
        check(cublasLtMatmulPreferenceSetAttribute(created, attribute, &value, sizeof(value)),
              "cublasLtMatmulPreferenceSetAttribute");
    };
    set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<std::uint64_t>(kWorkspace));
    for (const auto attribute :
         {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES}) {
        set(attribute, alignment);
    }
    std::array<cublasLtMatmulHeuristicResult_t, kAlgorithms> found{};
    int count = 0;
    const cublasStatus_t status =
        cublasLtMatmulAlgoGetHeuristic(handle_, product_.get(), weight_.get(), x_.get(), y_.get(), y_.get(),
                                       created, kAlgorithms, found.data(), &count);
    if (status != CUBLAS_STATUS_NOT_SUPPORTED) check(status, "cublasLtMatmulAlgoGetHeuristic");
    for (int i = 0; i < count; ++i) {
        if (found.at(i).state == CUBLAS_STATUS_SUCCESS) algorithms_.push_back(found.at(i).algo);
    }
    if (algorithms_.empty()) return;
    // The fastest is found by timing, which differs from process to process: a graph's nodes must not.
    const std::uint32_t first = reduction_of(algorithms_.front());
    std::erase_if(algorithms_, [&](const auto& algorithm) { return reduction_of(algorithm) != first; });
}

cublasStatus_t MatmulPlan::launch(const Matmul& matmul, const cublasLtMatmulAlgo_t& algorithm,
                                  cudaStream_t stream) const {
    const float one = 1;
    const float zero = 0;
    const auto pointer = [](Address address) { return reinterpret_cast<void*>(address); };
    if (has_bias_) {
        const void* bias = pointer(matmul.bias);
        check(cublasLtMatmulDescSetAttribute(product_.get(), CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias,
                                             sizeof(bias)),
              "cublasLtMatmulDescSetAttribute");
    }
    return cublasLtMatmul(handle_, product_.get(), &one, pointer(matmul.weight), weight_.get(),
                          pointer(matmul.x), x_.get(), &zero, pointer(matmul.y), y_.get(), pointer(matmul.y),
                          y_.get(), &algorithm, pointer(matmul.workspace), kWorkspace, stream);
}

// A fill of the workspace before each run pushes operands out of the cache, as a model's other layers do.
float MatmulPlan::time(const Matmul& matmul, const cublasLtMatmulAlgo_t& algorithm, float to_beat,
                       cudaStream_t stream) const {
    const auto event = [] {
        cudaEvent_t created = nullptr;
        check(cudaEventCreate(&created), "cudaEventCreate");
        return Owned<cudaEvent_t>(created);
    };
    const Owned<cudaEvent_t> start = event();
    const Owned<cudaEvent_t> end = event();
    float best = std::numeric_limits<float>::infinity();
    for (int run = 0; run <= kRuns; ++run) {
        check(cudaMemsetAsync(reinterpret_cast<void*>(matmul.workspace), 0, kWorkspace, stream),
              "cudaMemsetAsync");
        check(cudaEventRecord(start.get(), stream), "cudaEventRecord");
        if (launch(matmul, algorithm, stream) != CUBLAS_STATUS_SUCCESS) return best;
        check(cudaEventRecord(end.get(), stream), "cudaEventRecord");
        check(cudaEventSynchronize(end.get()), "cublasLtMatmul");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, start.get(), end.get()), "cudaEventElapsedTime");
        if (run > 0) best = std::min(best, milliseconds);
        if (best > to_beat * kHopeless && run > 0) break;
    }
    return best;
}

void MatmulPlan::search(const Matmul& matmul, cudaStream_t stream) {
    float best = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < algorithms_.size(); ++i) {
        const float milliseconds = time(matmul, algorithms_[i], best, stream);
        if (milliseconds >= best * kClearlyFaster) continue;
        best = milliseconds;
        chosen_ = i;
    }
    searched_ = true;
}

void MatmulPlan::run(const Matmul& matmul, cudaStream_t stream) const {
    check(launch(matmul, algorithms_[chosen_], stream), "cublasLtMatmul");
}

}  // namespace graphplan::cuda
