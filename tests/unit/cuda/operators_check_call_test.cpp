#include "cuda/operators/check_call.hpp"

#include <functional>

#include "catch.hpp"
#include "cuda/operators/convolutions.hpp"
#include "cuda/operators/status.hpp"

namespace graphplan::cuda {
namespace {

TensorView view(std::vector<std::int64_t> shape, DType dtype = DType::f32) {
    return {4096, dtype, std::move(shape)};
}

std::string message_of(const std::function<void()>& body) {
    try {
        body();
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::invalid_argument);
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a call has the operands that its operator takes") {
    OperatorCall call;
    call.kind = OperatorKind::add;
    call.inputs = {view({2}), view({2})};
    call.outputs = {view({2})};
    CHECK_NOTHROW(check_operands(call));
    call.inputs.pop_back();
    CHECK(message_of([&] { check_operands(call); }).find("add takes 2 to 2 inputs") == 0);
}

TEST_CASE("a tensor has an address and sizes") {
    OperatorCall call;
    call.kind = OperatorKind::gelu;
    call.inputs = {view({2, 0})};
    call.outputs = {view({2})};
    CHECK(message_of([&] { check_operands(call); }).find("dimensions of at least 1") != std::string::npos);
    call.inputs = {TensorView{0, DType::f32, {2}}};
    CHECK(message_of([&] { check_operands(call); }).find("device memory") != std::string::npos);
}

TEST_CASE("a broken rule is told with the operands") {
    OperatorCall call;
    call.kind = OperatorKind::mul;
    call.inputs = {view({2, 3}, DType::bf16)};
    CHECK(message_of([&] { expect(false, call, "takes luck"); }) ==
          "mul takes luck; found inputs bf16 [2, 3]; weights none; outputs none");
    CHECK_NOTHROW(expect(true, call, "takes luck"));
}

TEST_CASE("sizes of a tensor's last dimension and the rest") {
    CHECK(last(view({2, 3, 5})) == 5);
    CHECK(rows(view({2, 3, 5})) == 6);
    CHECK(last(view({})) == 1);
    CHECK(rows(view({})) == 1);
}

TEST_CASE("a convolution's result has the length that its parameters leave") {
    OperatorCall call;
    call.kind = OperatorKind::conv1d;
    call.inputs = {view({1, 4, 20})};
    call.weights = {view({6, 4, 3}), view({6})};
    call.outputs = {view({1, 6, 18})};
    CHECK_NOTHROW(check_convolution(call));
    call.outputs = {view({1, 6, 20})};
    CHECK(message_of([&] { check_convolution(call); }).find("length") != std::string::npos);
    call.kind = OperatorKind::conv_transpose1d;
    CHECK(message_of([&] { check_convolution(call); }).find("weight [channels") != std::string::npos);
    call.weights = {view({4, 6, 3}), view({6})};
    call.outputs = {view({1, 6, 22})};
    CHECK_NOTHROW(check_convolution(call));
}

TEST_CASE("a status that is no success names itself") {
    CHECK_NOTHROW(check(cudaSuccess, "it"));
    CHECK_NOTHROW(check(CUBLAS_STATUS_SUCCESS, "it"));
    try {
        check(cudaErrorMemoryAllocation, "cudaMalloc");
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::out_of_memory);
        CHECK(std::string(error.what()).find("cudaMalloc failed: cudaErrorMemoryAllocation") == 0);
    }
    try {
        check(CUBLAS_STATUS_NOT_SUPPORTED, "cublasLtMatmul");
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::device);
        CHECK(std::string(error.what()).find("CUBLAS_STATUS_NOT_SUPPORTED") != std::string::npos);
    }
}

}  // namespace graphplan::cuda
