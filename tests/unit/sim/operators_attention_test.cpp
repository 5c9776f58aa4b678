#include "catch.hpp"
#include "operators_fixture.hpp"

using namespace graphplan;
using namespace graphplan::sim;

namespace {

constexpr DType kHalf = DType::bf16;

TensorView cache() { return tensor(kHalf, {2, 2, 100, 16, 2, 64}); }  // layers, k and v, pages, …

OperatorCall paged() {
    return call_of(OperatorKind::paged_attention,
                   {tensor(kHalf, {4, 8, 64}), tensor(kHalf, {4, 2, 64}), tensor(kHalf, {4, 2, 64}), cache(),
                    tensor(DType::i32, {4, 32}), tensor(DType::i32, {4})},
                   {}, {tensor(kHalf, {4, 8, 64})});
}

OperatorCall causal() {
    return call_of(OperatorKind::causal_attention,
                   {tensor(kHalf, {40, 8, 64}), tensor(kHalf, {40, 2, 64}), tensor(kHalf, {40, 2, 64}),
                    tensor(DType::i32, {5})},
                   {}, {tensor(kHalf, {40, 8, 64})});
}

}  // namespace

TEST_CASE("paged attention writes the cache, then attends, with no memory of its own") {
    Work work = work_of(paged());
    CHECK(work.kernels == 2);
    CHECK(work.temporaries.empty());
    CHECK(work.flops == 4.0 * (4 * 32 * 16) * (8 * 64));
}

TEST_CASE("paged attention reads as much context as its page table holds, to a bound") {
    OperatorCall longer = with(paged(), &OperatorCall::inputs, 4, tensor(DType::i32, {4, 64}));
    OperatorCall longest = with(paged(), &OperatorCall::inputs, 4, tensor(DType::i32, {4, 4096}));
    CHECK(work_of(longer).bytes > work_of(paged()).bytes);
    CHECK(work_of(longest).bytes == work_of(longer).bytes);
}

TEST_CASE("paged attention refuses operands that don't fit") {
    auto input = &OperatorCall::inputs;
    CHECK(refuses(with(paged(), input, 0, tensor(kHalf, {4, 7, 64}))));
    CHECK(refuses(with(paged(), input, 1, tensor(kHalf, {3, 2, 64}))));
    CHECK(refuses(with(paged(), input, 2, tensor(kHalf, {4, 2, 32}))));
    CHECK(refuses(with(paged(), input, 2, tensor(DType::f32, {4, 2, 64}))));
    CHECK(refuses(with(paged(), input, 3, tensor(DType::f32, {2, 2, 100, 16, 2, 64}))));
    CHECK(refuses(with(paged(), input, 3, tensor(kHalf, {100}))));
    CHECK(refuses(with(paged(), input, 4, tensor(DType::i32, {3, 32}))));
    CHECK(refuses(with(paged(), input, 4, tensor(kHalf, {4, 32}))));
    CHECK(refuses(with(paged(), input, 5, tensor(DType::i32, {5}))));
    CHECK(refuses(with(paged(), &OperatorCall::outputs, 0, tensor(kHalf, {4, 8, 63}))));
    OperatorCall negative = paged();
    negative.parameters.layer = -1;
    CHECK(refuses(negative));
    negative = paged();
    negative.parameters.page_tokens = 0;
    CHECK(refuses(negative));
}

TEST_CASE("causal attention is one kernel, two where it writes a cache") {
    OperatorCall call = causal();
    CHECK(work_of(call).kernels == 1);
    CHECK(work_of(call).flops == 4.0 * (40 * 10 / 2) * (8 * 64));
    call.inputs.push_back(cache());
    CHECK(refuses(call));
    call.inputs.push_back(tensor(DType::i32, {4, 32}));
    CHECK(work_of(call).kernels == 2);
    CHECK(work_of(call).bytes > work_of(causal()).bytes);
    CHECK(refuses(with(call, &OperatorCall::inputs, 5, tensor(DType::i32, {5, 32}))));
}

TEST_CASE("causal attention takes offsets of at least one row") {
    CHECK(refuses(with(causal(), &OperatorCall::inputs, 3, tensor(DType::i32, {1}))));
    CHECK(refuses(with(causal(), &OperatorCall::inputs, 3, tensor(DType::f32, {5}))));
}
