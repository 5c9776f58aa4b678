#include <exception>
#include <thread>

#include "operators_harness.hpp"

namespace graphplan::cuda_test {
namespace {

OperatorParameters ranks(std::int64_t count) {
    OperatorParameters parameters;
    parameters.ranks = count;
    return parameters;
}

// One rank of two, on a GPU of its own: the sum of what both hold.
std::vector<double> sum_on(int rank, const cuda::RankGroup& group, const Tensor& x) {
    if (cudaSetDevice(rank) != cudaSuccess) throw std::runtime_error("no such device");
    Harness harness;
    harness.operators().collectives().join(group, rank, 2);
    Call call(OperatorKind::all_reduce, {x}, {}, {poisoned(x.dtype, x.shape)}, ranks(2));
    harness.enqueue(call, false);
    harness.synchronize();
    return call.output().values;
}

}  // namespace

TEST_CASE("a sum over one rank is a copy") {
    if (!has_gpu()) return;
    Harness harness;
    for (const DType dtype : kFloats) {
        const Tensor x = random_tensor(dtype, {333});
        Call call(OperatorKind::all_reduce, {x}, {}, {poisoned(dtype, {333})});
        harness.run(call);
        CHECK((call.output().values == x.values));
    }
}

TEST_CASE("a sum over ranks that nobody joined is an error") {
    if (!has_gpu()) return;
    Harness harness;
    const Tensor x = random_tensor(DType::f32, {4});
    Call call(OperatorKind::all_reduce, {x}, {}, {poisoned(DType::f32, {4})}, ranks(2));
    CHECK_THROWS_AS(harness.enqueue(call, false), Error);
}

TEST_CASE("two ranks sum over two GPUs") {
    if (!has_gpu()) return;
    int count = 0;
    REQUIRE(cudaGetDeviceCount(&count) == cudaSuccess);
    if (count < 2) {
        WARN("not run: it takes two GPUs");
        return;
    }
    const cuda::RankGroup group = cuda::new_rank_group();
    const Tensor a = random_tensor(DType::f32, {1001});
    const Tensor b = random_tensor(DType::f32, {1001});
    std::vector<double> other;
    std::exception_ptr failure;
    std::thread second([&] {
        try {
            other = sum_on(1, group, b);
        } catch (...) {
            failure = std::current_exception();
        }
    });
    const std::vector<double> first = sum_on(0, group, a);
    second.join();
    if (failure) std::rethrow_exception(failure);
    std::vector<double> wanted;
    for (std::size_t i = 0; i < a.values.size(); ++i) wanted.push_back(a.values[i] + b.values[i]);
    check_close({DType::f32, a.shape, first}, wanted);
    CHECK(first == other);
}

}  // namespace graphplan::cuda_test
