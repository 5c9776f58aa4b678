// What an operator refuses it refuses before its first kernel: memory is as it was, a capture goes on.
#include <algorithm>

#include "cuda/operators/status.hpp"
#include "operators_harness.hpp"

namespace graphplan::cuda_test {
namespace {

void refuse(Harness& harness, const Call& call, bool capturing) {
    try {
        harness.enqueue(call, capturing);
        FAIL("an Error is expected");
    } catch (const Error& error) {
        INFO(error.what());
        CHECK(error.code() == ErrorCode::invalid_argument);
    }
}

std::size_t nodes_of_refused(Harness& harness, const Call& call) {
    cuda::check(cudaStreamBeginCapture(harness.stream(), cudaStreamCaptureModeRelaxed), "begin");
    refuse(harness, call, true);
    cudaGraph_t graph = nullptr;
    cuda::check(cudaStreamEndCapture(harness.stream(), &graph), "end");
    std::size_t nodes = 0;
    cuda::check(cudaGraphGetNodes(graph, nullptr, &nodes), "cudaGraphGetNodes");
    cuda::check(cudaGraphDestroy(graph), "cudaGraphDestroy");
    return nodes;
}

void check_refused(const Call& call) {
    Harness harness;
    std::vector<Tensor> before;
    for (std::size_t i = 0; i < call.call().inputs.size(); ++i) before.push_back(call.input(i));
    CHECK(nodes_of_refused(harness, call) == 0);
    refuse(harness, call, false);
    harness.synchronize();
    for (std::size_t i = 0; i < before.size(); ++i) CHECK((call.input(i).values == before[i].values));
}

struct Attention {
    std::int64_t tokens, heads, kv_heads, d, rows;

    Tensor q(DType dtype) const { return random_tensor(dtype, {tokens, heads, d}); }
    Tensor k(DType dtype) const { return random_tensor(dtype, {tokens, kv_heads, d}); }
    Tensor cache(DType dtype) const { return random_tensor(dtype, {1, 2, 4, 16, kv_heads, d}); }
    Tensor table() const { return random_integers(DType::i32, {rows, 1}, 4); }

    /// The first rows have a token each, the others none.
    Call causal(DType dtype) const {
        Tensor offsets{DType::i32, {rows + 1}, {}};
        for (std::int64_t i = 0; i <= rows; ++i)
            offsets.values.push_back(static_cast<double>(std::min(i, tokens)));
        return {OperatorKind::causal_attention,
                {q(dtype), k(dtype), k(dtype), offsets, cache(dtype), table()},
                {},
                {poisoned(dtype, {tokens, heads, d})}};
    }
    Call paged(DType dtype) const {
        return {
            OperatorKind::paged_attention,
            {q(dtype), k(dtype), k(dtype), cache(dtype), table(), random_integers(DType::i32, {rows}, 16)},
            {},
            {poisoned(dtype, {tokens, heads, d})}};
    }
};

}  // namespace

TEST_CASE("attention that its kernels can't run leaves the cache alone") {
    if (!has_gpu()) return;
    check_refused(Attention{4, 2, 2, 64, 65536}.causal(DType::bf16));
    check_refused(Attention{2, 64, 1, 512, 2}.causal(DType::f32));
    check_refused(Attention{2, 64, 1, 512, 2}.paged(DType::f32));
    check_refused(Attention{65536, 1, 1, 8, 65536}.paged(DType::bf16));
}

TEST_CASE("a router of too many experts multiplies nothing") {
    if (!has_gpu()) return;
    check_refused(Call(OperatorKind::moe_router, {random_tensor(DType::f32, {2, 16})},
                       {random_tensor(DType::f32, {2049, 16})},
                       {poisoned(DType::f32, {2, 1}), poisoned(DType::i32, {2, 1})}));
}

}  // namespace graphplan::cuda_test
