#include "cuda/operators/check_call.hpp"
#include "cuda/operators/convolutions.hpp"

namespace graphplan::cuda {
namespace {

std::int64_t length_of(const OperatorCall& call) {
    const OperatorParameters& p = call.parameters;
    const std::int64_t length = call.inputs[0].shape[2];
    const std::int64_t reach = p.dilation * (call.weights[0].shape[2] - 1);
    if (call.kind == OperatorKind::conv_transpose1d)
        return (length - 1) * p.stride - 2 * p.padding + reach + 1;
    const std::int64_t span = length + 2 * p.padding - reach - 1;
    return span < 0 ? 0 : span / p.stride + 1;
}

}  // namespace

void check_convolution(const OperatorCall& call) {
    const TensorView& x = call.inputs[0];
    const TensorView& weight = call.weights[0];
    const TensorView& out = call.outputs[0];
    const OperatorParameters& p = call.parameters;
    expect(is_float(x.dtype) && x.shape.size() == 3 && weight.shape.size() == 3 && out.shape.size() == 3 &&
               weight.dtype == x.dtype && out.dtype == x.dtype && out.shape[0] == x.shape[0],
           call, "takes x [batch, channels, length] and a weight of three dimensions, all of one type");
    expect(p.stride >= 1 && p.padding >= 0 && p.dilation >= 1 && p.groups >= 1 &&
               x.shape[1] % p.groups == 0 && out.shape[1] % p.groups == 0,
           call, "takes stride, dilation and groups of at least 1, groups dividing the channels");
    const bool transposed = call.kind == OperatorKind::conv_transpose1d;
    expect(weight.shape[0] == (transposed ? x : out).shape[1] &&
               weight.shape[1] * p.groups == (transposed ? out : x).shape[1],
           call,
           transposed ? "takes weight [channels, out channels / groups, kernel]"
                      : "takes weight [out channels, channels / groups, kernel]");
    expect(out.shape[2] == length_of(call), call, "gives the length that stride, padding and dilation leave");
    expect(call.weights.size() == 1 ||
               (call.weights[1].elements() == out.shape[1] && call.weights[1].dtype == x.dtype),
           call, "takes a bias for each output channel");
}

}  // namespace graphplan::cuda
