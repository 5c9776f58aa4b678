// Rotary positions and attention over a paged key-value cache or over packed rows.
#include <array>

#include <fmt/format.h>

#include "engine/operator_context.hpp"

namespace graphplan::engine {
namespace {

using enum AttributeType;

void require_positions(OperatorContext& op, std::int64_t tokens) {
    op.require_integers("positions");
    op.require(op.tensor("positions").shape == Shape{tokens}, "positions",
               fmt::format("one position a token, [{}]", tokens));
}

void lower_rope(OperatorContext& op) {
    op.require_float("x");
    op.require_rank("x", 3);
    const Tensor x = op.tensor("x");
    op.require(x.shape[2] % 2 == 0, "x", "an even head dimension");
    require_positions(op, x.shape[0]);
    OperatorParameters parameters;
    parameters.theta = op.number("theta");
    op.call(OperatorKind::rope, {x, op.tensor("positions")}, {}, {op.make("out", x.dtype, x.shape, x.counts)},
            parameters);
}

void require_heads(OperatorContext& op) {
    for (const char* name : {"q", "k", "v"}) {
        op.require_float(name);
        op.require_rank(name, 3);
    }
    const Tensor& q = op.tensor("q");
    const Tensor& k = op.tensor("k");
    op.require(
        k.shape[0] == q.shape[0] && k.shape[2] == q.shape[2] && k.dtype == q.dtype, "k",
        fmt::format("the tokens, head dimension and type of q, {} {}", to_string(q.dtype), to_text(q.shape)));
    op.require(q.shape[1] % k.shape[1] == 0, "q", fmt::format("a multiple of k's {} heads", k.shape[1]));
    const Tensor& v = op.tensor("v");
    op.require(v.shape == k.shape && v.dtype == k.dtype, "v",
               fmt::format("what k is, {} {}", to_string(k.dtype), to_text(k.shape)));
}

KvShape require_cache(OperatorContext& op, std::size_t resource) {
    const KvShape shape = op.kv_shape(resource);
    const Tensor& k = op.tensor("k");
    op.require(k.shape[1] == shape.kv_heads && k.shape[2] == shape.head_dim && k.dtype == op.model().dtype,
               "k",
               fmt::format("{} [tokens, {}, {}] as the cache holds", to_string(op.model().dtype),
                           shape.kv_heads, shape.head_dim));
    return shape;
}

// Each token of a decode step ends a sequence of its own, so that the page table has a row a token.
void lower_paged_attention(OperatorContext& op) {
    require_heads(op);
    const Tensor q = op.tensor("q");
    require_positions(op, q.shape[0]);
    const std::size_t kv = op.resource("kv", ResourceKind::paged_kv);
    const KvShape shape = require_cache(op, kv);
    OperatorParameters parameters;
    parameters.layer = op.layer(shape);
    parameters.page_tokens = shape.page_tokens;
    const std::vector<Tensor> inputs{q,
                                     op.tensor("k"),
                                     op.tensor("v"),
                                     op.cache(kv, shape),
                                     op.page_table(kv, shape, q.shape[0], q.counts),
                                     op.tensor("positions")};
    op.call(OperatorKind::paged_attention, inputs, {}, {op.make("out", q.dtype, q.shape, q.counts)},
            parameters);
}

void lower_causal_attention(OperatorContext& op) {
    require_heads(op);
    const Tensor q = op.tensor("q");
    op.require(q.shape[0] == op.shape().tokens, "q", "one row for each of the walk's tokens");
    std::vector<Tensor> inputs{q, op.tensor("k"), op.tensor("v"), op.row_offsets()};
    OperatorParameters parameters;
    if (op.has("kv")) {
        const std::size_t kv = op.resource("kv", ResourceKind::paged_kv);
        const KvShape shape = require_cache(op, kv);
        parameters.layer = op.layer(shape);
        parameters.page_tokens = shape.page_tokens;
        inputs.push_back(op.cache(kv, shape));
        inputs.push_back(op.page_table(kv, shape, op.shape().bs, Counts::rows));
    }
    op.call(OperatorKind::causal_attention, inputs, {}, {op.make("out", q.dtype, q.shape, q.counts)},
            parameters);
}

const std::array kRules{
    OperatorRule{"rope",
                 {{"x", tensor}, {"positions", tensor}, {"theta", number, false, 10000.0}, {"out", out}},
                 false,
                 lower_rope},
    OperatorRule{"paged_attention",
                 {{"q", tensor},
                  {"k", tensor},
                  {"v", tensor},
                  {"kv", resource},
                  {"layer", size, false, {}},
                  {"positions", tensor},
                  {"out", out}},
                 false,
                 lower_paged_attention},
    OperatorRule{"causal_attention",
                 {{"q", tensor},
                  {"k", tensor},
                  {"v", tensor},
                  {"kv", resource, false, {}},
                  {"layer", size, false, {}},
                  {"out", out}},
                 false,
                 lower_causal_attention},
};

}  // namespace

std::span<const OperatorRule> attention_operators() { return kRules; }

}  // namespace graphplan::engine
