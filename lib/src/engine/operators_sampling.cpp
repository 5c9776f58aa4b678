// Picks the next token of each row.
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "engine/operator_context.hpp"

namespace graphplan::engine {
namespace {

using enum AttributeType;

void lower_top_k(OperatorContext& op, const Tensor& logits) {
    if (!op.has("rng")) op.fail("with method \"top_k\" needs \"rng\", the name of a philox resource");
    if (!op.has("top_k")) op.fail("with method \"top_k\" needs \"top_k\", a whole number or an expression");
    OperatorParameters parameters;
    parameters.top_k = op.size("top_k");
    parameters.temperature = op.number("temperature");
    op.require(parameters.top_k <= logits.shape[1], "x",
               fmt::format("at least top_k = {} columns", parameters.top_k));
    if (parameters.temperature <= 0) op.fail_at("temperature", "expected more than 0");
    const Tensor state = op.random_state(op.resource("rng", ResourceKind::philox));
    const Tensor ids = op.make("out", DType::i32, {logits.shape[0]}, logits.counts);
    op.call(OperatorKind::sample_top_k, {logits, state}, {}, {ids}, parameters);
}

void lower_sample(OperatorContext& op) {
    op.require_float("x");
    op.require_rank("x", 2);
    const Tensor logits = op.tensor("x");
    if (op.word("method") == "top_k") return lower_top_k(op, logits);
    if (op.word("method") != "argmax") {
        op.fail_at("method", fmt::format("{}, expected \"argmax\" or \"top_k\"", quoted(op.word("method"))));
    }
    op.call(OperatorKind::sample_argmax, {logits}, {},
            {op.make("out", DType::i32, {logits.shape[0]}, logits.counts)});
}

const std::array kRules{
    OperatorRule{"sample",
                 {{"x", tensor},
                  {"method", word},
                  {"top_k", size, false, {}},
                  {"temperature", number, false, 1.0},
                  {"rng", resource, false, {}},
                  {"out", out}},
                 false,
                 lower_sample},
};

}  // namespace

std::span<const OperatorRule> sampling_operators() { return kRules; }

}  // namespace graphplan::engine
