// Operators that change a tensor's type or shape, or pick a part of it.
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "base/text.hpp"
#include "engine/operator_context.hpp"

namespace graphplan::engine {
namespace {

using enum AttributeType;

void lower_cast(OperatorContext& op) {
    const std::optional<DType> dtype = parse_dtype(op.word("dtype"));
    if (!dtype) {
        op.fail_at("dtype",
                   fmt::format("{}, expected f32, f16, bf16, i32, i64 or u8", quoted(op.word("dtype"))));
    }
    const Tensor x = op.tensor("x");
    op.call(OperatorKind::cast, {x}, {}, {op.make("out", *dtype, x.shape, x.counts)});
}

void lower_split(OperatorContext& op) {
    const Tensor x = op.tensor("x");
    const std::vector<std::int64_t> pieces = op.sizes("sizes");
    const std::vector<std::string>& names = op.words("outs");
    if (pieces.size() != names.size()) {
        op.fail_at("outs", fmt::format("{} names for {} sizes", names.size(), pieces.size()));
    }
    std::int64_t sum = 0;
    for (const std::int64_t piece : pieces) {
        op.require(!x.shape.empty() && piece <= x.shape.back() - sum, "x",
                   fmt::format("a last dimension of the sizes' sum, {}", to_text(pieces)));
        sum += piece;
    }
    op.require(sum == x.shape.back(), "x", fmt::format("a last dimension of the sizes' sum, {}", sum));
    OperatorParameters parameters;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        Shape shape = x.shape;
        shape.back() = pieces[i];
        op.call(OperatorKind::slice, {x}, {}, {op.make_named(names[i], x.dtype, shape, counts_but_last(x))},
                parameters);
        parameters.offset += pieces[i];
    }
}

void lower_reshape(OperatorContext& op) {
    const Tensor x = op.tensor("x");
    const Shape shape = op.sizes("shape");
    op.require(dense_bytes(x.dtype, shape) == dense_bytes(x.dtype, x.shape), "x",
               fmt::format("as many elements as {}", to_text(shape)));
    op.make_view("out", x, shape, op.counts("shape"));
}

void lower_last_rows(OperatorContext& op) {
    op.require_rank("x", 2);
    const Tensor x = op.tensor("x");
    op.require(x.shape[0] == op.shape().tokens, "x", "one row for each of the walk's tokens");
    const Tensor rows = op.make("out", x.dtype, {op.shape().bs, x.shape[1]}, Counts::rows);
    op.call(OperatorKind::last_rows, {x, op.row_offsets()}, {}, {rows});
}

const std::array kRules{
    OperatorRule{"cast", {{"x", tensor}, {"dtype", word}, {"out", out}}, false, lower_cast},
    OperatorRule{"split", {{"x", tensor}, {"sizes", sizes}, {"outs", outs}}, false, lower_split},
    OperatorRule{"reshape", {{"x", tensor}, {"shape", sizes}, {"out", out}}, false, lower_reshape},
    OperatorRule{"last_rows", {{"x", tensor}, {"out", out}}, false, lower_last_rows},
};

}  // namespace

std::span<const OperatorRule> shape_operators() { return kRules; }

}  // namespace graphplan::engine
