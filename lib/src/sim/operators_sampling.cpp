#include "sim/operators.hpp"

namespace graphplan::sim {
namespace {

void check_rows(const OperatorCall& call) {
    const TensorView& logits = call.inputs[0];
    const TensorView& out = call.outputs[0];
    require(is_float(logits.dtype) && logits.shape.size() == 2, call, "takes logits [rows, vocabulary]");
    require(out.dtype == DType::i32 && out.elements() == logits.shape[0], call,
            "gives an id i32 for each row");
}

}  // namespace

Work sample_argmax(const OperatorCall& call) {
    check_rows(call);
    return streaming(call);
}

// Three kernels: the largest k of each row, their sort and softmax, the draw.
Work sample_top_k(const OperatorCall& call) {
    check_rows(call);
    const TensorView& logits = call.inputs[0];
    std::int64_t top_k = call.parameters.top_k;
    require(top_k >= 1 && top_k <= logits.shape[1], call, "takes a top_k from 1 to the vocabulary");
    require(call.parameters.temperature > 0, call, "takes a temperature above 0");
    std::int64_t candidates = logits.shape[0] * top_k;
    Work work = streaming(call);
    work.kernels = 3;
    work.temporaries = {candidates * size_of(DType::f32), candidates * size_of(DType::i32)};
    for (Bytes temporary : work.temporaries) work.bytes += 4 * temporary;
    return work;
}

}  // namespace graphplan::sim
