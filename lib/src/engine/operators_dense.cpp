// Operators with weights that work on the last dimension.
#include <array>

#include <fmt/format.h>

#include "engine/operator_context.hpp"

namespace graphplan::engine {
namespace {

using enum AttributeType;

void lower_embedding(OperatorContext& op) {
    op.require_integers("x");
    const Tensor x = op.tensor("x");
    const DType dtype = op.model().dtype;
    const std::int64_t features = op.size("features");
    const Tensor table = op.weight("weight", dtype, {op.size("rows"), features});
    Shape shape = x.shape;
    shape.push_back(features);
    op.call(OperatorKind::embedding, {x}, {table}, {op.make("out", dtype, shape, x.counts)});
}

void lower_linear(OperatorContext& op) {
    op.require_float("x");
    const Tensor x = op.tensor("x");
    const std::int64_t features = op.size("features");
    std::vector<Tensor> weights{op.weight("weight", x.dtype, {features, x.shape.back()})};
    if (op.flag("bias")) weights.push_back(op.weight("bias", x.dtype, {features}));
    Shape shape = x.shape;
    shape.back() = features;
    op.call(OperatorKind::linear, {x}, weights, {op.make("out", x.dtype, shape, counts_but_last(x))});
}

void lower_norm(OperatorContext& op, OperatorKind kind) {
    op.require_float("x");
    const Tensor x = op.tensor("x");
    OperatorParameters parameters;
    parameters.epsilon = op.number("eps");
    std::vector<Tensor> weights{op.weight("weight", x.dtype, {x.shape.back()})};
    if (kind == OperatorKind::layer_norm) weights.push_back(op.weight("bias", x.dtype, {x.shape.back()}));
    op.call(kind, {x}, weights, {op.make("out", x.dtype, x.shape, x.counts)}, parameters);
}

void lower_rms_norm(OperatorContext& op) { lower_norm(op, OperatorKind::rms_norm); }
void lower_layer_norm(OperatorContext& op) { lower_norm(op, OperatorKind::layer_norm); }

const std::array kRules{
    OperatorRule{"embedding",
                 {{"x", tensor}, {"features", size}, {"rows", size}, {"out", out}},
                 true,
                 lower_embedding},
    OperatorRule{"linear",
                 {{"x", tensor}, {"features", size}, {"bias", flag, false, false}, {"out", out}},
                 true,
                 lower_linear},
    OperatorRule{
        "rms_norm", {{"x", tensor}, {"eps", number, false, 1e-5}, {"out", out}}, true, lower_rms_norm},
    OperatorRule{
        "layer_norm", {{"x", tensor}, {"eps", number, false, 1e-5}, {"out", out}}, true, lower_layer_norm},
};

}  // namespace

std::span<const OperatorRule> dense_operators() { return kRules; }

}  // namespace graphplan::engine
