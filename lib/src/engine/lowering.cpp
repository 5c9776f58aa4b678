#include "engine/lowering.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "engine/operator_context.hpp"
#include "engine/place.hpp"
#include "model/counts.hpp"

namespace graphplan::engine {
namespace {

// A repeat's count comes from a document: it must not run for ever.
constexpr std::size_t kMostSteps = 200'000;

Tensor input_tensor(const ProgramBuilder& builder, const Forward& forward, std::size_t index) {
    const auto& [name, input] = forward.inputs[index];
    const std::string pointer = fmt::format("{}/inputs/{}/shape", forward.pointer, name);
    Tensor tensor{input.dtype, {}, {Source::input, index}};
    for (const std::string& expression : input.shape) {
        try {
            tensor.shape.push_back(evaluate(expression, builder.dimensions()));
        } catch (const Error& error) {
            fail_in(builder.model(), pointer, error.what());
        }
    }
    if (!dense_bytes(tensor.dtype, tensor.shape)) {
        fail_in(builder.model(), pointer,
                fmt::format("{} at bs={} tokens={}; expected sizes from 1 on and at most 8 TiB",
                            to_text(tensor.shape), builder.shape().bs, builder.shape().tokens));
    }
    if (!input.shape.empty()) tensor.counts = counts_of(input.shape.front(), builder.dimensions());
    return tensor;
}

Counts varying_counts(const ProgramBuilder& builder, const Input& input) {
    if (input.shape.empty()) return Counts::neither;
    return counts_of(input.shape[varying_dimension(input)], builder.dimensions());
}

void lower_operator(ProgramBuilder& builder, const Operator& op, const std::string& pointer) {
    const OperatorRule* rule = find_operator(op.op);
    if (rule == nullptr) {
        const std::vector<std::string> names = operator_names();
        fail_in(builder.model(), pointer,
                fmt::format("unknown operator {}.{}", quoted(op.op), suggestion(op.op, names)));
    }
    OperatorContext context(builder, op, *rule, pointer);
    rule->lower(context);
}

void lower_steps(ProgramBuilder& builder, const Program& program);

void lower_repeat(ProgramBuilder& builder, const Repeat& repeat, const std::string& pointer) {
    std::int64_t count = 0;
    try {
        count = evaluate(repeat.count, builder.dimensions());
    } catch (const Error& error) {
        fail_in(builder.model(), pointer + "/repeat", error.what());
    }
    if (count < 1 || count > static_cast<std::int64_t>(kMostSteps)) {
        fail_in(builder.model(), pointer + "/repeat",
                fmt::format("{} = {}, expected 1 to {}", quoted(repeat.count), count, kMostSteps));
    }
    builder.enter_repeat();
    for (std::int64_t i = 0; i < count; ++i) {
        lower_steps(builder, repeat.program);
        builder.next_iteration();
    }
    builder.leave_repeat();
}

void lower_steps(ProgramBuilder& builder, const Program& program) {
    for (const Step& step : program) {
        if (builder.count_step() > kMostSteps) {
            fail_in(builder.model(), step.pointer,
                    fmt::format("the program has run {} steps by here", kMostSteps));
        }
        if (const auto* op = std::get_if<Operator>(&step.what)) {
            lower_operator(builder, *op, step.pointer);
        } else {
            lower_repeat(builder, std::get<Repeat>(step.what), step.pointer);
        }
    }
}

void collect_outputs(ProgramBuilder& builder, const Forward& forward) {
    for (std::size_t i = 0; i < forward.outputs.size(); ++i) {
        const Tensor* tensor = builder.find(forward.outputs[i]);
        if (tensor == nullptr) {
            const std::vector<std::string> names = builder.names();
            fail_in(builder.model(), fmt::format("{}/outputs/{}", forward.pointer, i),
                    fmt::format("{} is no tensor of the program.{}", quoted(forward.outputs[i]),
                                suggestion(forward.outputs[i], names)));
        }
        builder.program().outputs.push_back(*tensor);
    }
}

}  // namespace

LoweredProgram lower(const Model& model, const ForwardRef& forward, const BucketShape& shape,
                     WeightTable& weights) {
    const std::string scope = forward.is_region ? fmt::format("{}:", forward.name) : "";
    ProgramBuilder builder(model, *forward.node, scope, shape, weights);
    for (std::size_t i = 0; i < forward.forward->inputs.size(); ++i) {
        builder.bind(forward.forward->inputs[i].first, input_tensor(builder, *forward.forward, i));
        builder.program().inputs.push_back(*builder.find(forward.forward->inputs[i].first));
        builder.program().input_counts.push_back(varying_counts(builder, forward.forward->inputs[i].second));
    }
    lower_steps(builder, forward.forward->program);
    collect_outputs(builder, *forward.forward);
    set_lifetimes(builder.program());
    return std::move(builder.program());
}

}  // namespace graphplan::engine
