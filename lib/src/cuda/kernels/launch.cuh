// What every kernel file shares on the host side: checked launches, dispatch on types.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "cuda/operators/check_call.hpp"
#include "cuda/operators/status.hpp"
#include "graphplan/operators.hpp"

namespace graphplan::cuda::kernels {

/// Whether the current device runs kernels in a form that waits for the one before them by itself, so that
/// they may be launched while that one still ends: see wait_for_previous() in device.cuh.
bool launches_early();

template <typename... Parameters, typename... Arguments>
void launch(std::string_view name, void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared,
            cudaStream_t stream, const Arguments&... arguments) {
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &early;
    config.numAttrs = launches_early() ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...), name);
}

/// Lets a kernel take more shared memory than 48 KiB.
template <typename... Parameters>
void allow_shared(std::string_view name, void (*kernel)(Parameters...), std::size_t bytes) {
    if (bytes <= 48 * 1024) return;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
          name);
}

/// Calls `body` with a value of the type that a floating-point dtype stands for.
template <typename Body>
void with_float(DType dtype, Body&& body) {
    if (dtype == DType::f32) return body(float{});
    if (dtype == DType::f16) return body(__half{});
    body(__nv_bfloat16{});
}

template <typename Body>
void with_16bit(DType dtype, Body&& body) {
    if (dtype == DType::f16) return body(__half{});
    body(__nv_bfloat16{});
}

template <typename T>
T* pointer(const TensorView& tensor) {
    return reinterpret_cast<T*>(tensor.address);
}

inline bool is_aligned(Address address) { return address % 16 == 0; }

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

inline unsigned grid_size(std::int64_t blocks) { return static_cast<unsigned>(blocks); }

}  // namespace graphplan::cuda::kernels
