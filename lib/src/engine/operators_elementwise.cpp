// Operators without weights that work element by element or along the last dimension.
#include <array>

#include <fmt/format.h>

#include "engine/operator_context.hpp"

namespace graphplan::engine {
namespace {

using enum AttributeType;

template <OperatorKind Kind>
void lower_unary(OperatorContext& op) {
    op.require_float("x");
    const Tensor x = op.tensor("x");
    OperatorParameters parameters;
    if constexpr (Kind == OperatorKind::leaky_relu) parameters.slope = op.number("slope");
    op.call(Kind, {x}, {}, {op.make("out", x.dtype, x.shape, x.counts)}, parameters);
}

template <OperatorKind Kind>
void lower_binary(OperatorContext& op) {
    op.require_float("x");
    const Tensor x = op.tensor("x");
    const Tensor y = op.tensor("y");
    op.require(y.shape == x.shape && y.dtype == x.dtype, "y",
               fmt::format("what x is, {} {}", to_string(x.dtype), to_text(x.shape)));
    op.call(Kind, {x, y}, {}, {op.make("out", x.dtype, x.shape, x.counts)});
}

void lower_silu_mul(OperatorContext& op) {
    op.require_float("x");
    const Tensor x = op.tensor("x");
    op.require(x.shape.back() % 2 == 0, "x", "an even last dimension: the gate's half, then the other");
    Shape shape = x.shape;
    shape.back() /= 2;
    op.call(OperatorKind::silu_mul, {x}, {}, {op.make("out", x.dtype, shape, counts_but_last(x))});
}

const std::vector<AttributeRule> kUnary{{"x", tensor}, {"out", out}};
const std::vector<AttributeRule> kBinary{{"x", tensor}, {"y", tensor}, {"out", out}};

const std::array kRules{
    OperatorRule{"silu_mul", kUnary, false, lower_silu_mul},
    OperatorRule{"gelu", kUnary, false, lower_unary<OperatorKind::gelu>},
    OperatorRule{"leaky_relu",
                 {{"x", tensor}, {"slope", number, false, 0.1}, {"out", out}},
                 false,
                 lower_unary<OperatorKind::leaky_relu>},
    OperatorRule{"tanh", kUnary, false, lower_unary<OperatorKind::tanh>},
    OperatorRule{"add", kBinary, false, lower_binary<OperatorKind::add>},
    OperatorRule{"mul", kBinary, false, lower_binary<OperatorKind::mul>},
    OperatorRule{"softmax", kUnary, false, lower_unary<OperatorKind::softmax>},
    OperatorRule{"all_reduce", kUnary, false, lower_unary<OperatorKind::all_reduce>},
};

}  // namespace

std::span<const OperatorRule> elementwise_operators() { return kRules; }

}  // namespace graphplan::engine
