#include "operators_harness.hpp"

namespace graphplan::cuda_test {
namespace {

OperatorParameters with(const std::function<void(OperatorParameters&)>& set) {
    OperatorParameters parameters;
    set(parameters);
    return parameters;
}

// Two rounds of one call: replayed results must be those of an eager run, to the bit.
void check_replay(Harness& harness, Call& call) {
    harness.run(call);
    std::vector<std::vector<double>> eager;
    for (std::size_t i = 0; i < call.call().outputs.size(); ++i) eager.push_back(call.output(i).values);
    call.poison_outputs();
    harness.replay({&call}, 2);
    for (std::size_t i = 0; i < eager.size(); ++i) CHECK((call.output(i).values == eager[i]));
}

}  // namespace

TEST_CASE("products, experts, convolutions and attention replay as they ran") {
    if (!has_gpu()) return;
    Harness harness;
    const DType t = DType::bf16;
    Call linear(OperatorKind::linear, {random_tensor(t, {33, 256})},
                {random_tensor(t, {96, 256}), random_tensor(t, {96})}, {poisoned(t, {33, 96})});
    check_replay(harness, linear);
    Call router(OperatorKind::moe_router, {random_tensor(t, {20, 64})}, {random_tensor(t, {8, 64})},
                {poisoned(DType::f32, {20, 2}), poisoned(DType::i32, {20, 2})},
                with([](auto& p) { p.top_k = 2; }));
    check_replay(harness, router);
    Call experts(
        OperatorKind::moe_experts, {random_tensor(t, {20, 64}), random_integers(DType::i32, {20, 2}, 8)},
        {random_tensor(t, {8, 256, 64}), random_tensor(t, {8, 64, 128})}, {poisoned(t, {20, 2, 64})});
    check_replay(harness, experts);
    Call convolution(OperatorKind::conv1d, {random_tensor(t, {2, 32, 60})}, {random_tensor(t, {16, 32, 3})},
                     {poisoned(t, {2, 16, 58})});
    check_replay(harness, convolution);
    Call attention(
        OperatorKind::paged_attention,
        {random_tensor(t, {2, 8, 64}), random_tensor(t, {2, 2, 64}), random_tensor(t, {2, 2, 64}),
         random_tensor(t, {1, 2, 9, 16, 2, 64}), of_values(DType::i32, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}),
         of_values(DType::i32, {2}, {50, 3})},
        {}, {poisoned(t, {2, 8, 64})});
    check_replay(harness, attention);
}

TEST_CASE("a shape that nobody warmed captures with the library's first choice") {
    if (!has_gpu()) return;
    Harness harness;
    const Tensor x = random_tensor(DType::bf16, {5, 64});
    const Tensor weight = random_tensor(DType::bf16, {24, 64});
    Call call(OperatorKind::linear, {x}, {weight}, {poisoned(DType::bf16, {5, 24})});
    harness.replay({&call}, 1, false);
    Call eager(OperatorKind::linear, {x}, {weight}, {poisoned(DType::bf16, {5, 24})});
    harness.run(eager);
    check_close(call.output(), eager.output().values);
}

TEST_CASE("a product's graph has as many nodes whichever algorithm its search takes") {
    if (!has_gpu()) return;
    Harness harness;
    const DType t = DType::bf16;
    const std::vector<std::pair<std::int64_t, std::int64_t>> weights{
        {6144, 1024}, {1024, 4096}, {1024, 14336}};
    for (const auto& [columns, depth] : weights) {
        const Tensor weight = random_tensor(t, {columns, depth});
        for (const std::int64_t rows : {1, 8, 64, 136, 200, 248}) {
            Call call(OperatorKind::linear, {random_tensor(t, {rows, depth})}, {weight},
                      {poisoned(t, {rows, columns})});
            INFO(rows << " x " << columns << " x " << depth);
            const std::size_t first_choice = harness.nodes({&call}, false);
            CHECK(harness.nodes({&call}, true) == first_choice);
        }
    }
}

TEST_CASE("replays of a graph go on with the random stream") {
    if (!has_gpu()) return;
    Harness harness;
    const Tensor logits = random_tensor(DType::f32, {300, 1000});
    const OperatorParameters parameters = with([](auto& p) { p.top_k = 40; });
    const auto call_at = [&](double offset) {
        return Call(OperatorKind::sample_top_k, {logits, of_values(DType::i64, {2}, {77, offset})}, {},
                    {poisoned(DType::i32, {300})}, parameters);
    };
    Call replayed = call_at(0);
    harness.replay({&replayed}, 3);  // one eager run before the capture: offsets 0, then 4, 8, 12
    CHECK((replayed.input(1).values == std::vector<double>{77, 16}));
    Call last = call_at(12);
    harness.run(last);
    CHECK((replayed.output().values == last.output().values));
    Call before = call_at(8);
    harness.run(before);
    CHECK((replayed.output().values != before.output().values));
}

}  // namespace graphplan::cuda_test
