#include "sim/operators.hpp"

#include "catch.hpp"
#include "operators_fixture.hpp"

using namespace graphplan;
using namespace graphplan::sim;

TEST_CASE("a refusal names the operator, the rule and what was found") {
    std::string message = refusal(call_of(OperatorKind::linear, {tensor(DType::bf16, {8, 64})},
                                          {tensor(DType::bf16, {32, 63})}, {tensor(DType::bf16, {8, 32})}));
    CHECK(message.find("weight [n, k]") != std::string::npos);
    CHECK(message.find("bf16 [8, 64]") != std::string::npos);
    CHECK(message.find("bf16 [32, 63]") != std::string::npos);
}

TEST_CASE("every operator refuses calls without operands and with empty dimensions") {
    for (int kind = 0; kind <= static_cast<int>(OperatorKind::all_reduce); ++kind) {
        CAPTURE(kind);
        CHECK(refuses(call_of(static_cast<OperatorKind>(kind), {}, {}, {})));
    }
    CHECK(refusal(call_of(OperatorKind::gelu, {tensor(DType::f32, {0, 4})}, {}, {tensor(DType::f32, {0, 4})}))
              .find("at least 1") != std::string::npos);
}

TEST_CASE("a number that is no operator's is refused") {
    OperatorCall call;
    call.kind = static_cast<OperatorKind>(99);
    CHECK_THROWS_AS(work_of(call), Error);
}

TEST_CASE("the roofline is the longer of bytes and flops, by the input's dtype") {
    const SimProfile& h200 = sim_profile("h200");
    OperatorCall half = call_of(OperatorKind::gelu, {tensor(DType::bf16, {4})}, {}, {});
    OperatorCall full = call_of(OperatorKind::gelu, {tensor(DType::f32, {4})}, {}, {});
    Work work;
    work.bytes = 4'800'000;
    CHECK(duration_us(work, half, h200) == Approx(1.0));
    work.flops = 989.5e6 * 3;
    CHECK(duration_us(work, half, h200) == Approx(3.0));
    CHECK(duration_us(work, full, h200) == Approx(3.0 * 989.5 / 67));
}
