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

// Two kernels: the draw from each row's largest k, and the state's step onwards.
Work sample_top_k(const OperatorCall& call) {
    check_rows(call);
    std::int64_t top_k = call.parameters.top_k;
    require(top_k >= 1 && top_k <= call.inputs[0].shape[1], call, "takes a top_k from 1 to the vocabulary");
    require(call.parameters.temperature > 0, call, "takes a temperature above 0");
    Work work = streaming(call);
    work.kernels = 2;
    return work;
}

}  // namespace graphplan::sim
