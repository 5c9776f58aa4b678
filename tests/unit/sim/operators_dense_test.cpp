#include "catch.hpp"
#include "operators_fixture.hpp"

using namespace graphplan;
using namespace graphplan::sim;

namespace {

constexpr DType kHalf = DType::bf16;

}  // namespace

TEST_CASE("linear is one kernel with the matrix library's workspace") {
    OperatorCall call = call_of(OperatorKind::linear, {tensor(kHalf, {8, 64})}, {tensor(kHalf, {32, 64})},
                                {tensor(kHalf, {8, 32})});
    Work work = work_of(call);
    CHECK(work.kernels == 1);
    CHECK(work.matrix_library);
    CHECK(work.temporaries.empty());
    CHECK(work.flops == 2.0 * 8 * 64 * 32);
    CHECK(work.bytes == 2 * (8 * 64 + 32 * 64 + 8 * 32));

    CHECK(refuses(with(call, &OperatorCall::outputs, 0, tensor(kHalf, {8, 31}))));
    CHECK(refuses(with(call, &OperatorCall::outputs, 0, tensor(kHalf, {7, 32}))));
    CHECK(refuses(with(call, &OperatorCall::weights, 0, tensor(DType::f32, {32, 64}))));
    CHECK(refuses(with(call, &OperatorCall::inputs, 0, tensor(DType::i32, {8, 64}))));
    call.weights.push_back(tensor(kHalf, {32}));
    CHECK_FALSE(refuses(call));
    call.weights[1] = tensor(kHalf, {31});
    CHECK(refuses(call));
}

TEST_CASE("linear takes any count of leading dimensions and may give another float") {
    CHECK_FALSE(refuses(call_of(OperatorKind::linear, {tensor(kHalf, {2, 3, 64})}, {tensor(kHalf, {5, 64})},
                                {tensor(DType::f32, {2, 3, 5})})));
}

TEST_CASE("embedding reads the rows that it is asked for, not the table") {
    OperatorCall call = call_of(OperatorKind::embedding, {tensor(DType::i32, {4})},
                                {tensor(kHalf, {100000, 8})}, {tensor(kHalf, {4, 8})});
    CHECK(work_of(call).bytes == 4 * 4 + 2 * 4 * 8 * 2);
    CHECK(refuses(with(call, &OperatorCall::inputs, 0, tensor(DType::f32, {4}))));
    CHECK(refuses(with(call, &OperatorCall::outputs, 0, tensor(kHalf, {4, 9}))));
    CHECK(refuses(with(call, &OperatorCall::outputs, 0, tensor(DType::f32, {4, 8}))));
}

TEST_CASE("norms take weights of the last dimension") {
    OperatorCall rms = call_of(OperatorKind::rms_norm, {tensor(kHalf, {4, 8})}, {tensor(kHalf, {8})},
                               {tensor(kHalf, {4, 8})});
    OperatorCall layer = rms;
    layer.kind = OperatorKind::layer_norm;
    CHECK_FALSE(refuses(rms));
    CHECK(refuses(layer));
    layer.weights.push_back(tensor(kHalf, {8}));
    CHECK_FALSE(refuses(layer));
    CHECK(refuses(with(layer, &OperatorCall::weights, 1, tensor(kHalf, {4}))));
    CHECK(refuses(with(rms, &OperatorCall::outputs, 0, tensor(kHalf, {8, 4}))));
}

TEST_CASE("rope turns pairs at a position a token") {
    OperatorCall call = call_of(OperatorKind::rope, {tensor(kHalf, {4, 2, 8}), tensor(DType::i32, {4})}, {},
                                {tensor(kHalf, {4, 2, 8})});
    CHECK(work_of(call).kernels == 1);
    CHECK(refuses(with(call, &OperatorCall::inputs, 1, tensor(DType::i32, {3}))));
    CHECK(refuses(with(call, &OperatorCall::inputs, 1, tensor(DType::f32, {4}))));
    CHECK(refuses(call_of(OperatorKind::rope, {tensor(kHalf, {4, 2, 7}), tensor(DType::i32, {4})}, {},
                          {tensor(kHalf, {4, 2, 7})})));
}

TEST_CASE("silu_mul halves the last dimension") {
    OperatorCall call =
        call_of(OperatorKind::silu_mul, {tensor(kHalf, {4, 16})}, {}, {tensor(kHalf, {4, 8})});
    CHECK(work_of(call).kernels == 1);
    CHECK(refuses(with(call, &OperatorCall::outputs, 0, tensor(kHalf, {4, 16}))));
}

TEST_CASE("elementwise operators take one shape and dtype") {
    for (OperatorKind kind :
         {OperatorKind::gelu, OperatorKind::leaky_relu, OperatorKind::tanh, OperatorKind::softmax}) {
        OperatorCall call = call_of(kind, {tensor(kHalf, {4, 16})}, {}, {tensor(kHalf, {4, 16})});
        CHECK(work_of(call).bytes == 2 * 4 * 16 * 2);
        CHECK(refuses(with(call, &OperatorCall::outputs, 0, tensor(kHalf, {16, 4}))));
        CHECK(refuses(with(call, &OperatorCall::inputs, 0, tensor(DType::i32, {4, 16}))));
    }
    OperatorCall add =
        call_of(OperatorKind::add, {tensor(kHalf, {4}), tensor(kHalf, {4})}, {}, {tensor(kHalf, {4})});
    CHECK_FALSE(refuses(add));
    CHECK(refuses(with(add, &OperatorCall::inputs, 1, tensor(kHalf, {1}))));
    CHECK(refuses(with(add, &OperatorCall::inputs, 1, tensor(DType::f32, {4}))));
}

TEST_CASE("cast keeps the shape and changes the dtype") {
    OperatorCall call =
        call_of(OperatorKind::cast, {tensor(kHalf, {4, 2})}, {}, {tensor(DType::f32, {4, 2})});
    CHECK(work_of(call).bytes == 8 * 2 + 8 * 4);
    CHECK(refuses(with(call, &OperatorCall::outputs, 0, tensor(DType::f32, {8}))));
}

TEST_CASE("slice takes a piece of the last dimension") {
    OperatorParameters parameters;
    parameters.offset = 6;
    OperatorCall call =
        call_of(OperatorKind::slice, {tensor(kHalf, {4, 8})}, {}, {tensor(kHalf, {4, 2})}, parameters);
    CHECK(work_of(call).bytes == 2 * 4 * 2 * 2);
    call.parameters.offset = 7;
    CHECK(refuses(call));
    call.parameters.offset = -1;
    CHECK(refuses(call));
}

TEST_CASE("last_rows gives a row for each pair of offsets") {
    OperatorCall call = call_of(OperatorKind::last_rows, {tensor(kHalf, {10, 8}), tensor(DType::i32, {4})},
                                {}, {tensor(kHalf, {3, 8})});
    CHECK(work_of(call).kernels == 1);
    CHECK(refuses(with(call, &OperatorCall::outputs, 0, tensor(kHalf, {4, 8}))));
    CHECK(refuses(with(call, &OperatorCall::inputs, 1, tensor(DType::f32, {4}))));
}

TEST_CASE("all_reduce over one rank is a copy, nothing in place, a kernel over more") {
    OperatorCall call = call_of(OperatorKind::all_reduce, {tensor(kHalf, {8})}, {}, {tensor(kHalf, {8})});
    CHECK(work_of(call).kernels + work_of(call).copies == 0);
    call.outputs[0].address += 0x1000;
    CHECK(work_of(call).copies == 1);
    call.parameters.ranks = 4;
    CHECK(work_of(call).kernels == 1);
    CHECK(work_of(call).copies == 0);
    call.parameters.ranks = 0;
    CHECK(refuses(call));
}
