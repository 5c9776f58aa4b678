#include "cuda/device/lost_context.hpp"

#include <cuda.h>

#include "catch.hpp"

namespace graphplan::cuda {

#if CUDART_VERSION >= 13000
static_assert(kErrorContained == cudaErrorContained && kErrorTensorMemoryLeak == cudaErrorTensorMemoryLeak &&
              kErrorExternalDevice == cudaErrorExternalDevice);
#endif

TEST_CASE("errors that leave the process in an inconsistent state lose the context") {
    for (const int status : {700, 702, 714, 715, 716, 717, 718, 719, 721, 226, 911}) {
        CAPTURE(status);
        CHECK(loses_context(status));
    }
    for (const int status : {cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorNotReady,
                             cudaErrorStreamCaptureInvalidated}) {
        CAPTURE(status);
        CHECK_FALSE(loses_context(status));
    }
}

TEST_CASE("the driver's numbers of lost contexts are the runtime's") {
    for (const int status :
         {static_cast<int>(CUDA_ERROR_ILLEGAL_ADDRESS), static_cast<int>(CUDA_ERROR_ASSERT),
          static_cast<int>(CUDA_ERROR_LAUNCH_FAILED), static_cast<int>(CUDA_ERROR_ECC_UNCORRECTABLE)}) {
        CAPTURE(status);
        CHECK(loses_context(status));
    }
    CHECK_FALSE(loses_context(CUDA_ERROR_OUT_OF_MEMORY));
}

}  // namespace graphplan::cuda
