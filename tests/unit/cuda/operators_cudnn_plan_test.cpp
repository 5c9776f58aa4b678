#include "cuda/operators/cudnn_plan.hpp"

#include "catch.hpp"

namespace graphplan::cuda {

TEST_CASE("a status of cuDNN's that is no success names itself, and a want of memory is one") {
    const auto code_of = [](cudnnStatus_t status) {
        try {
            check(status, "a convolution");
        } catch (const Error& error) {
            CHECK(std::string(error.what()) ==
                  std::string("a convolution failed: ") + cudnnGetErrorString(status));
            return error.code();
        }
        FAIL("an Error is expected");
        return ErrorCode::internal;
    };
    CHECK_NOTHROW(check(CUDNN_STATUS_SUCCESS, "a convolution"));
    CHECK(code_of(CUDNN_STATUS_NOT_SUPPORTED) == ErrorCode::device);
    CHECK(code_of(CUDNN_STATUS_EXECUTION_FAILED) == ErrorCode::device);
#if CUDNN_MAJOR >= 9
    CHECK(code_of(CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED) == ErrorCode::out_of_memory);
    CHECK(code_of(CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED) == ErrorCode::out_of_memory);
#else
    CHECK(code_of(CUDNN_STATUS_ALLOC_FAILED) == ErrorCode::out_of_memory);
#endif
}

}  // namespace graphplan::cuda
