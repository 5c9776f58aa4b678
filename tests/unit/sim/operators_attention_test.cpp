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

OperatorCall paged_by(std::int64_t tokens, std::int64_t pages) {
    OperatorCall call = paged();
    for (std::size_t i = 0; i < 3; ++i) call.inputs[i].shape[0] = tokens;
    call.inputs[4].shape = {tokens, pages};
    call.inputs[5].shape = {tokens};
    call.outputs[0].shape[0] = tokens;
    return call;
}

}  // namespace

TEST_CASE("paged attention of many tokens writes the cache, then attends, with no memory of its own") {
    Work work = work_of(paged_by(256, 32));
    CHECK(work.kernels == 2);
    CHECK(work.temporaries.empty());
    CHECK(work.flops == 4.0 * (256 * 32 * 16) * (8 * 64));
}

TEST_CASE("paged attention of few tokens reads contexts in parts and puts them together") {
    Work work = work_of(paged_by(255, 32));
    CHECK(work.kernels == 3);
    CHECK(work.temporaries == std::vector<Bytes>{(255 * 8 * 64 + 2 * 255 * 8) * 2 * 4});
    CHECK(work_of(paged_by(4, 32)).temporaries[0] == (4 * 8 * 64 + 2 * 4 * 8) * 8 * 4);
    CHECK(work_of(paged_by(1, 4096)).temporaries[0] == (8 * 64 + 2 * 8) * 64 * 4);
    CHECK(work_of(paged_by(1, 4)).kernels == 2);
}

TEST_CASE("paged attention reads as much context as its page table holds, to a bound") {
    OperatorCall longer = with(paged(), &OperatorCall::inputs, 4, tensor(DType::i32, {4, 64}));
    OperatorCall longest = with(paged(), &OperatorCall::inputs, 4, tensor(DType::i32, {4, 4096}));
    CHECK(work_of(longer).bytes > work_of(paged()).bytes);
    CHECK(work_of(longer).flops > work_of(paged()).flops);
    CHECK(work_of(longest).flops == work_of(longer).flops);
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
    CHECK(refuses(with(paged(), input, 3, tensor(kHalf, {2, 2, 100, 16, 4, 32}))));
    for (std::int64_t layer : {-1, 2}) {
        OperatorCall elsewhere = paged();
        elsewhere.parameters.layer = layer;
        CHECK(refuses(elsewhere));
    }
    OperatorCall smaller = paged();
    smaller.parameters.page_tokens = 8;
    CHECK(refuses(smaller));
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
