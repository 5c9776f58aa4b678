// Convolutions along the last dimension, as torch's Conv1d and ConvTranspose1d.
#include <array>

#include <fmt/format.h>

#include "engine/operator_context.hpp"

namespace graphplan::engine {
namespace {

using enum AttributeType;

template <bool Transposed>
void lower_convolution(OperatorContext& op) {
    op.require_float("x");
    op.require_rank("x", 3);
    const Tensor x = op.tensor("x");
    const std::int64_t in = x.shape[1];
    const std::int64_t length = x.shape[2];
    const std::int64_t channels = op.size("channels");
    // Kept small, so that the length below cannot overflow.
    constexpr std::int64_t most = std::int64_t{1} << 20;
    op.require(length <= most * most, "x", "a length of at most 2^40");
    const std::int64_t kernel = op.size("kernel", 1, most);
    OperatorParameters p;
    p.stride = op.size("stride", 1, most);
    p.padding = op.size("padding", 0, most);
    p.dilation = op.size("dilation", 1, most);
    p.groups = op.size("groups");
    if (in % p.groups != 0 || channels % p.groups != 0) {
        op.fail_at("groups",
                   fmt::format("{} does not divide both {} channels in and {} out", p.groups, in, channels));
    }
    const std::int64_t reach = p.dilation * (kernel - 1);
    const std::int64_t result = Transposed ? (length - 1) * p.stride - 2 * p.padding + reach + 1
                                           : (length + 2 * p.padding - reach - 1) / p.stride + 1;
    op.require(Transposed ? result >= 1 : length + 2 * p.padding > reach, "x",
               fmt::format("a length that a kernel of {} fits in", kernel));
    const Shape weight_shape =
        Transposed ? Shape{in, channels / p.groups, kernel} : Shape{channels, in / p.groups, kernel};
    std::vector<Tensor> weights{op.weight("weight", x.dtype, weight_shape)};
    if (op.flag("bias")) weights.push_back(op.weight("bias", x.dtype, {channels}));
    const Tensor y = op.make("out", x.dtype, {x.shape[0], channels, result}, x.counts);
    op.call(Transposed ? OperatorKind::conv_transpose1d : OperatorKind::conv1d, {x}, weights, {y}, p);
}

const std::vector<AttributeRule> kAttributes{
    {"x", tensor},
    {"channels", size},
    {"kernel", size},
    {"stride", size, false, std::int64_t{1}},
    {"padding", size, false, std::int64_t{0}},
    {"dilation", size, false, std::int64_t{1}},
    {"groups", size, false, std::int64_t{1}},
    {"bias", flag, false, true},
    {"out", out},
};

const std::array kRules{
    OperatorRule{"conv1d", kAttributes, true, lower_convolution<false>},
    OperatorRule{"conv_transpose1d", kAttributes, true, lower_convolution<true>},
};

}  // namespace

std::span<const OperatorRule> convolution_operators() { return kRules; }

}  // namespace graphplan::engine
