#include "graphplan/operators.hpp"

#include <set>
#include <string>

#include "catch.hpp"

using namespace graphplan;

TEST_CASE("a tensor's elements are the product of its shape, its bytes follow the dtype") {
    CHECK(TensorView{0, DType::f32, {}}.elements() == 1);
    CHECK(TensorView{0, DType::f32, {3, 0, 5}}.elements() == 0);
    CHECK(TensorView{0, DType::bf16, {4, 8, 2}}.elements() == 64);
    CHECK(TensorView{0, DType::bf16, {4, 8, 2}}.bytes() == 128);
    CHECK(TensorView{0, DType::i64, {std::int64_t{1} << 32}}.bytes() == std::int64_t{1} << 35);
}

TEST_CASE("every operator has a word of its own") {
    std::set<std::string> words;
    int count = static_cast<int>(OperatorKind::all_reduce) + 1;
    for (int i = 0; i < count; ++i) words.emplace(to_string(static_cast<OperatorKind>(i)));
    CHECK(words.size() == static_cast<std::size_t>(count));
    CHECK(words.count("unknown") == 0);
    CHECK(words.count("moe_experts") == 1);
}
