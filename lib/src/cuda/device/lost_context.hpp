// Which CUDA errors lose the context.
#pragma once

#include <cuda_runtime.h>

namespace graphplan::cuda {

// Newer headers name these; a newer driver tells them by number whatever the header was.
constexpr int kErrorContained = 226, kErrorTensorMemoryLeak = 721, kErrorExternalDevice = 911;

/// Whether every later call of the process fails after this error. Source: the CUDA runtime's descriptions of
/// cudaError, "leaves the process in an inconsistent state". The driver's CUresult has the same numbers.
constexpr bool loses_context(int status) noexcept {
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
        case kErrorContained:
        case kErrorTensorMemoryLeak:
        case kErrorExternalDevice:
        case cudaErrorContextIsDestroyed: return true;
        default: return false;
    }
}

}  // namespace graphplan::cuda
