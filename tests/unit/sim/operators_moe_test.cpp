#include <numeric>

#include "catch.hpp"
#include "operators_fixture.hpp"

using namespace graphplan;
using namespace graphplan::sim;

namespace {

constexpr DType kHalf = DType::bf16;

OperatorCall router() {
    OperatorParameters parameters;
    parameters.top_k = 2;
    return call_of(OperatorKind::moe_router, {tensor(kHalf, {16, 64})}, {tensor(kHalf, {8, 64})},
                   {tensor(DType::f32, {16, 2}), tensor(DType::i32, {16, 2})}, parameters);
}

OperatorCall experts(std::int64_t tokens) {
    return call_of(OperatorKind::moe_experts, {tensor(kHalf, {tokens, 64}), tensor(DType::i32, {tokens, 2})},
                   {tensor(kHalf, {8, 256, 64}), tensor(kHalf, {8, 64, 128})},
                   {tensor(kHalf, {tokens, 2, 64})});
}

}  // namespace

TEST_CASE("the router keeps logits for the length of the call") {
    Work work = work_of(router());
    CHECK(work.kernels == 2);
    CHECK(work.temporaries == std::vector<Bytes>{16 * 8 * 4});
    CHECK(work.matrix_library);
}

TEST_CASE("the router refuses operands that don't fit") {
    OperatorCall many = router();
    many.parameters.top_k = 9;
    CHECK(refuses(many));
    CHECK(refuses(with(router(), &OperatorCall::weights, 0, tensor(kHalf, {8, 63}))));
    CHECK(refuses(with(router(), &OperatorCall::outputs, 0, tensor(kHalf, {16, 2}))));
    CHECK(refuses(with(router(), &OperatorCall::outputs, 1, tensor(DType::i32, {16, 3}))));
}

TEST_CASE("experts sort, multiply and scatter through temporaries that grow with tokens") {
    Work work = work_of(experts(16));
    CHECK(work.kernels == 3);
    CHECK(work.fills == 0);
    CHECK(work.temporaries == std::vector<Bytes>{(1 + 32 + 3 * (32 / 32 + 8)) * 4, 32 * 128 * 2});
    CHECK(work.flops == 2.0 * 32 * (256 * 64 + 64 * 128));
    Work larger = work_of(experts(32));
    CHECK(std::accumulate(larger.temporaries.begin(), larger.temporaries.end(), Bytes{0}) >
          std::accumulate(work.temporaries.begin(), work.temporaries.end(), Bytes{0}));
}

TEST_CASE("experts are sorted into tiles of as many rows as an expert is likely to have") {
    CHECK(work_of(experts(80)).temporaries[0] == (1 + 160 + 3 * (160 / 32 + 8)) * 4);
    CHECK(work_of(experts(81)).temporaries[0] == (1 + 162 + 3 * (162 / 64 + 8)) * 4);
    CHECK(work_of(experts(256)).temporaries[0] == (1 + 512 + 3 * (512 / 64 + 8)) * 4);
    CHECK(work_of(experts(257)).temporaries[0] == (1 + 514 + 3 * (514 / 128 + 8)) * 4);
    CHECK(work_of(experts(1)).temporaries[0] == (1 + 2 + 3 * (0 + 2)) * 4);
}

TEST_CASE("few tokens read few experts") {
    Bytes one = (256 * 64 + 64 * 128) * 2;
    CHECK(work_of(experts(1)).bytes < 3 * one);
    CHECK(work_of(experts(16)).bytes > 8 * one);
}

TEST_CASE("experts refuse operands that don't fit") {
    OperatorCall call = experts(4);
    CHECK(refuses(with(call, &OperatorCall::weights, 0, tensor(kHalf, {8, 255, 64}))));
    CHECK(refuses(with(call, &OperatorCall::weights, 1, tensor(kHalf, {7, 64, 128}))));
    CHECK(refuses(with(call, &OperatorCall::inputs, 1, tensor(DType::i32, {3, 2}))));
    CHECK(refuses(with(call, &OperatorCall::outputs, 0, tensor(kHalf, {4, 64}))));
}

TEST_CASE("combine sums the experts of a token") {
    OperatorCall call =
        call_of(OperatorKind::moe_combine, {tensor(kHalf, {4, 2, 64}), tensor(DType::f32, {4, 2})}, {},
                {tensor(kHalf, {4, 64})});
    CHECK(work_of(call).kernels == 1);
    CHECK(refuses(with(call, &OperatorCall::inputs, 1, tensor(DType::f32, {4, 3}))));
    CHECK(refuses(with(call, &OperatorCall::outputs, 0, tensor(kHalf, {4, 2, 64}))));
}
