// Which CUDA errors lose the context.
#pragma once

#include <cuda_runtime.h>

namespace graphplan::cuda {

/// Whether every later call of the process fails after this error. Source: the CUDA runtime's descriptions of
/// cudaError, "leaves the process in an inconsistent state".
constexpr bool loses_context(cudaError_t status) noexcept {
    switch (status) {
        case cudaErrorIllegalAddress:
        case cudaErrorLaunchFailure:
        case cudaErrorLaunchTimeout:
        case cudaErrorHardwareStackError:
        case cudaErrorIllegalInstruction:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorAssert:
        case cudaErrorECCUncorrectable:
        case cudaErrorDeviceUninitialized:
        case cudaErrorContextIsDestroyed: return true;
        default: return false;
    }
}

}  // namespace graphplan::cuda
