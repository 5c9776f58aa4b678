#include "sim/operators.hpp"

namespace graphplan::sim {
namespace {

struct Geometry {
    std::int64_t out_channels = 0;
    std::int64_t in_channels = 0;  ///< that each output channel reads
    std::int64_t length = 0;       ///< of the output
};

/// As cuDNN runs it. 16-bit: x and weight are laid out anew for the tensor cores, the result is laid out
/// back (four kernels, a workspace for the three). f32: one kernel that reads precomputed offsets from its
/// workspace, after one that writes them. A bias is added by a kernel of its own.
Work convolution(const OperatorCall& call, const Geometry& geometry, std::int64_t reads) {
    const TensorView& x = call.inputs[0];
    const TensorView& weight = call.weights[0];
    const TensorView& out = call.outputs[0];
    require(out.shape.size() == 3 && out.dtype == x.dtype && out.shape[0] == x.shape[0] &&
                out.shape[1] == geometry.out_channels && out.shape[2] == geometry.length,
            call, "gives [batch, channels, length] with the length that stride, padding and dilation leave");
    bool has_bias = call.weights.size() == 2;
    require(!has_bias || call.weights[1].elements() == geometry.out_channels, call,
            "takes a bias for each output channel");

    bool relaid = x.dtype != DType::f32;
    std::int64_t kernel = weight.shape[2];
    Bytes workspace = relaid ? x.bytes() + weight.bytes() + out.bytes()
                             : kernel * geometry.in_channels * size_of(DType::i64);
    Work work = streaming(call);
    work.kernels = (relaid ? 4 : 2) + (has_bias ? 1 : 0);
    work.bytes += 2 * workspace + (has_bias ? 2 * out.bytes() : 0);
    work.flops = 2.0 * static_cast<double>(reads) * static_cast<double>(kernel);
    work.temporaries = {workspace};
    return work;
}

void check_operands(const OperatorCall& call) {
    const TensorView& x = call.inputs[0];
    const TensorView& weight = call.weights[0];
    const OperatorParameters& p = call.parameters;
    require(is_float(x.dtype) && x.shape.size() == 3 && weight.shape.size() == 3 && weight.dtype == x.dtype,
            call, "takes x [batch, channels, length] and a weight of three dimensions and x's dtype");
    require(p.stride >= 1 && p.padding >= 0 && p.dilation >= 1 && p.groups >= 1 && x.shape[1] % p.groups == 0,
            call, "takes stride, dilation and groups of at least 1, groups dividing the channels");
}

}  // namespace

Work conv1d(const OperatorCall& call) {
    check_operands(call);
    const TensorView& x = call.inputs[0];
    const TensorView& weight = call.weights[0];
    const OperatorParameters& p = call.parameters;
    require(weight.shape[1] == x.shape[1] / p.groups && weight.shape[0] % p.groups == 0, call,
            "takes weight [out channels, channels / groups, kernel]");
    std::int64_t span = x.shape[2] + 2 * p.padding - p.dilation * (weight.shape[2] - 1) - 1;
    require(span >= 0, call, "takes an x at least as long as the kernel");
    Geometry geometry{weight.shape[0], weight.shape[1], span / p.stride + 1};
    return convolution(call, geometry, call.outputs[0].elements() * geometry.in_channels);
}

Work conv_transpose1d(const OperatorCall& call) {
    check_operands(call);
    const TensorView& x = call.inputs[0];
    const TensorView& weight = call.weights[0];
    const OperatorParameters& p = call.parameters;
    require(weight.shape[0] == x.shape[1], call, "takes weight [channels, out channels / groups, kernel]");
    std::int64_t length =
        (x.shape[2] - 1) * p.stride - 2 * p.padding + p.dilation * (weight.shape[2] - 1) + 1;
    require(length >= 1, call, "takes padding that leaves an output");
    Geometry geometry{weight.shape[1] * p.groups, x.shape[1] / p.groups, length};
    return convolution(call, geometry, x.elements() * weight.shape[1]);
}

}  // namespace graphplan::sim
