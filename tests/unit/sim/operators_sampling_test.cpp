#include "catch.hpp"
#include "operators_fixture.hpp"

using namespace graphplan;
using namespace graphplan::sim;

namespace {

OperatorCall top_k() {
    OperatorParameters parameters;
    parameters.top_k = 50;
    return call_of(OperatorKind::sample_top_k, {tensor(DType::f32, {4, 1000}), tensor(DType::i64, {2})}, {},
                   {tensor(DType::i32, {4})}, parameters);
}

}  // namespace

TEST_CASE("argmax is one kernel without memory of its own") {
    OperatorCall call =
        call_of(OperatorKind::sample_argmax, {tensor(DType::f32, {4, 1000})}, {}, {tensor(DType::i32, {4})});
    CHECK(work_of(call).kernels == 1);
    CHECK(work_of(call).temporaries.empty());
    CHECK(refuses(with(call, &OperatorCall::outputs, 0, tensor(DType::i64, {4}))));
    CHECK(refuses(with(call, &OperatorCall::outputs, 0, tensor(DType::i32, {5}))));
    CHECK(refuses(with(call, &OperatorCall::inputs, 0, tensor(DType::f32, {4000}))));
}

TEST_CASE("top-k is a draw and the state's step, without memory of its own") {
    CHECK(work_of(top_k()).kernels == 2);
    CHECK(work_of(top_k()).temporaries.empty());
}

TEST_CASE("top-k refuses parameters that make no draw") {
    OperatorCall call = top_k();
    call.parameters.top_k = 1001;
    CHECK(refuses(call));
    call.parameters.top_k = 0;
    CHECK(refuses(call));
    call = top_k();
    call.parameters.temperature = 0;
    CHECK(refuses(call));
    call.inputs.pop_back();
    CHECK(refuses(call));
}
