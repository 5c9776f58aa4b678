#include <algorithm>

#include "sim/operators.hpp"

namespace graphplan::sim {
namespace {

bool same_shape(const TensorView& a, const TensorView& b) { return a.shape == b.shape; }

/// Equal but for the last dimension.
bool same_rows(const TensorView& a, const TensorView& b) {
    return a.shape.size() == b.shape.size() && !a.shape.empty() &&
           std::equal(a.shape.begin(), a.shape.end() - 1, b.shape.begin());
}

bool is_vector(const TensorView& tensor, std::int64_t elements) {
    return tensor.shape.size() == 1 && tensor.shape[0] == elements;
}

}  // namespace

Work embedding(const OperatorCall& call) {
    const TensorView& ids = call.inputs[0];
    const TensorView& table = call.weights[0];
    const TensorView& out = call.outputs[0];
    require(is_index(ids.dtype), call, "takes ids of i32 or i64");
    require(table.shape.size() == 2 && out.dtype == table.dtype && last(out) == table.shape[1] &&
                out.elements() == ids.elements() * table.shape[1],
            call, "takes a table [rows, features] and gives [ids, features] of its dtype");
    Work work;
    work.bytes = ids.bytes() + 2 * out.bytes();
    return work;
}

// One kernel: cuBLASLt adds the bias in its epilogue, and splits no sum over several kernels.
Work linear(const OperatorCall& call) {
    const TensorView& x = call.inputs[0];
    const TensorView& weight = call.weights[0];
    const TensorView& out = call.outputs[0];
    require(is_float(x.dtype) && weight.dtype == x.dtype && is_float(out.dtype), call,
            "takes x and weight of one floating-point type");
    require(weight.shape.size() == 2 && weight.shape[1] == last(x) && same_rows(x, out) &&
                last(out) == weight.shape[0],
            call, "takes x [.., k] and weight [n, k] and gives [.., n]");
    require(call.weights.size() == 1 || is_vector(call.weights[1], weight.shape[0]), call,
            "takes a bias [n]");
    Work work = streaming(call);
    work.flops = 2.0 * static_cast<double>(x.elements()) * static_cast<double>(weight.shape[0]);
    work.matrix_library = true;
    return work;
}

Work norm(const OperatorCall& call) {
    const TensorView& x = call.inputs[0];
    require(is_float(x.dtype) && same_shape(x, call.outputs[0]), call, "gives the shape of its x");
    for (const TensorView& weight : call.weights) {
        require(is_vector(weight, last(x)), call, "takes weights [d] for x [.., d]");
    }
    return streaming(call);
}

Work rope(const OperatorCall& call) {
    const TensorView& x = call.inputs[0];
    const TensorView& positions = call.inputs[1];
    require(x.shape.size() == 3 && last(x) % 2 == 0 && same_shape(x, call.outputs[0]), call,
            "takes x [tokens, heads, head_dim] with an even head_dim and gives the same shape");
    require(is_index(positions.dtype) && positions.elements() == x.shape[0], call,
            "takes a position of i32 or i64 for each token");
    return streaming(call);
}

Work silu_mul(const OperatorCall& call) {
    const TensorView& x = call.inputs[0];
    const TensorView& out = call.outputs[0];
    require(is_float(x.dtype) && out.dtype == x.dtype && same_rows(x, out) && last(x) == 2 * last(out), call,
            "takes x [.., 2f] and gives [.., f]");
    return streaming(call);
}

Work elementwise(const OperatorCall& call) {
    const TensorView& out = call.outputs[0];
    for (const TensorView& x : call.inputs) {
        require(is_float(x.dtype) && x.dtype == out.dtype && same_shape(x, out), call,
                "takes and gives tensors of one shape and floating-point type");
    }
    return streaming(call);
}

Work softmax(const OperatorCall& call) {
    const TensorView& x = call.inputs[0];
    require(is_float(x.dtype) && is_float(call.outputs[0].dtype) && same_shape(x, call.outputs[0]), call,
            "takes and gives floating-point tensors of one shape");
    return streaming(call);
}

Work cast(const OperatorCall& call) {
    require(same_shape(call.inputs[0], call.outputs[0]), call, "gives the shape of its x");
    return streaming(call);
}

Work slice(const OperatorCall& call) {
    const TensorView& x = call.inputs[0];
    const TensorView& out = call.outputs[0];
    std::int64_t offset = call.parameters.offset;
    require(x.dtype == out.dtype && same_rows(x, out), call,
            "takes x [.., d] and gives [.., n] of its dtype");
    require(offset >= 0 && offset + last(out) <= last(x), call, "takes a piece within x's last dimension");
    Work work;
    work.bytes = 2 * out.bytes();
    return work;
}

Work last_rows(const OperatorCall& call) {
    const TensorView& x = call.inputs[0];
    const TensorView& offsets = call.inputs[1];
    const TensorView& out = call.outputs[0];
    require(is_index(offsets.dtype) && same_rows(x, x) && x.dtype == out.dtype && last(x) == last(out) &&
                out.elements() == (offsets.elements() - 1) * last(x),
            call, "takes x [tokens, f] and row offsets [rows + 1] and gives [rows, f]");
    Work work;
    work.bytes = 2 * out.bytes() + offsets.bytes();
    return work;
}

// A sum over one rank is a copy, or nothing in place.
Work all_reduce(const OperatorCall& call) {
    const TensorView& x = call.inputs[0];
    const TensorView& out = call.outputs[0];
    require(call.parameters.ranks >= 1 && x.dtype == out.dtype && same_shape(x, out), call,
            "takes at least one rank and gives the shape and dtype of its x");
    Work work = streaming(call);
    if (call.parameters.ranks == 1) {
        work.kernels = 0;
        work.copies = x.address == out.address ? 0 : 1;
        if (work.copies == 0) work.bytes = 0;
    }
    return work;
}

}  // namespace graphplan::sim
