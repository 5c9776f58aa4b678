#include "cuda/operators/status.hpp"

#include <fmt/format.h>

namespace graphplan::cuda {

void check(cudaError_t status, std::string_view what) {
    if (status == cudaSuccess) return;
    const ErrorCode code = status == cudaErrorMemoryAllocation ? ErrorCode::out_of_memory : ErrorCode::device;
    throw Error(code,
                fmt::format("{} failed: {} ({})", what, cudaGetErrorName(status), cudaGetErrorString(status)),
                static_cast<int>(status));
}

void check(cublasStatus_t status, std::string_view what) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    const ErrorCode code =
        status == CUBLAS_STATUS_ALLOC_FAILED ? ErrorCode::out_of_memory : ErrorCode::device;
    throw Error(code, fmt::format("{} failed: {} ({})", what, cublasLtGetStatusName(status),
                                  cublasLtGetStatusString(status)));
}

}  // namespace graphplan::cuda
