// Mixtures of experts: the router picks, the experts run, their results are weighed and summed.
#include <array>

#include <fmt/format.h>

#include "engine/operator_context.hpp"

namespace graphplan::engine {
namespace {

using enum AttributeType;

void lower_moe_router(OperatorContext& op) {
    op.require_float("x");
    op.require_rank("x", 2);
    const Tensor x = op.tensor("x");
    const std::int64_t experts = op.size("experts");
    OperatorParameters parameters;
    parameters.top_k = op.size("top_k");
    if (parameters.top_k > experts) {
        op.fail_at("top_k", fmt::format("{}, expected at most the {} experts", parameters.top_k, experts));
    }
    const Tensor weight = op.weight("weight", x.dtype, {experts, x.shape[1]});
    const Shape picked{x.shape[0], parameters.top_k};
    const Tensor weights = op.make("weights_out", DType::f32, picked, x.counts);
    op.call(OperatorKind::moe_router, {x}, {weight},
            {weights, op.make("ids_out", DType::i32, picked, x.counts)}, parameters);
}

void lower_moe_experts(OperatorContext& op) {
    op.require_float("x");
    op.require_rank("x", 2);
    op.require_integers("ids");
    op.require_rank("ids", 2);
    const Tensor x = op.tensor("x");
    const Tensor ids = op.tensor("ids");
    op.require(ids.shape[0] == x.shape[0], "ids",
               fmt::format("one row for each of the {} tokens", x.shape[0]));
    const std::int64_t experts = op.size("experts");
    const std::int64_t features = op.size("features");
    const Tensor gate_up = op.weight("gate_up", x.dtype, {experts, 2 * features, x.shape[1]});
    const Tensor down = op.weight("down", x.dtype, {experts, x.shape[1], features});
    OperatorParameters parameters;
    parameters.top_k = ids.shape[1];
    const Tensor result = op.make("out", x.dtype, {x.shape[0], ids.shape[1], x.shape[1]}, x.counts);
    op.call(OperatorKind::moe_experts, {x, ids}, {gate_up, down}, {result}, parameters);
}

void lower_moe_combine(OperatorContext& op) {
    op.require_float("x");
    op.require_rank("x", 3);
    op.require_float("weights");
    const Tensor x = op.tensor("x");
    const Tensor weights = op.tensor("weights");
    op.require(weights.shape == Shape{x.shape[0], x.shape[1]}, "weights",
               fmt::format("one weight for each expert's row, [{}, {}]", x.shape[0], x.shape[1]));
    const Tensor result = op.make("out", x.dtype, {x.shape[0], x.shape[2]}, x.counts);
    op.call(OperatorKind::moe_combine, {x, weights}, {}, {result});
}

const std::array kRules{
    OperatorRule{"moe_router",
                 {{"x", tensor}, {"experts", size}, {"top_k", size}, {"weights_out", out}, {"ids_out", out}},
                 true,
                 lower_moe_router},
    OperatorRule{"moe_experts",
                 {{"x", tensor}, {"ids", tensor}, {"experts", size}, {"features", size}, {"out", out}},
                 true,
                 lower_moe_experts},
    OperatorRule{"moe_combine", {{"x", tensor}, {"weights", tensor}, {"out", out}}, false, lower_moe_combine},
};

}  // namespace

std::span<const OperatorRule> expert_operators() { return kRules; }

}  // namespace graphplan::engine
