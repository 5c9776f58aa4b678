// Turns the status of CUDA and cuBLAS calls into errors. Every call is checked.
#pragma once

#include <cublasLt.h>
#include <cuda_runtime.h>

#include <string_view>

#include "graphplan/base.hpp"

namespace graphplan::cuda {

/// @throws Error out_of_memory or device with the error's name and words, unless it is a success.
/// `what` is the call or the kernel.
void check(cudaError_t status, std::string_view what);
void check(cublasStatus_t status, std::string_view what);

}  // namespace graphplan::cuda
