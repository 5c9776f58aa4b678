#include "engine/input_uses.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace graphplan::engine {
namespace {

using Use = NamedTensor::Use;

InputUse use_of(const OperatorCall& call, std::size_t input) {
    constexpr std::int64_t any = std::numeric_limits<std::int32_t>::max();
    const auto is = [&](OperatorKind kind, std::size_t place) { return call.kind == kind && input == place; };
    if (is(OperatorKind::embedding, 0)) return {Use::index, call.weights[0].shape[0]};
    if (is(OperatorKind::moe_experts, 1)) return {Use::index, call.weights[0].shape[0]};
    if (is(OperatorKind::rope, 1)) return {Use::position, any};
    if (is(OperatorKind::paged_attention, 5)) {
        return {Use::position, std::min(any, call.inputs[4].shape[1] * call.parameters.page_tokens)};
    }
    return {};
}

InputUse both(const InputUse& a, const InputUse& b) {
    if (a.use == Use::other || b.use == Use::other) return {};
    return {std::max(a.use, b.use), std::min(a.below, b.below)};
}

}  // namespace

std::vector<InputUse> input_uses(const LoweredProgram& program) {
    std::vector<std::optional<InputUse>> uses(program.inputs.size());
    for (const LoweredCall& call : program.calls) {
        for (std::size_t i = 0; i < call.inputs.size(); ++i) {
            if (call.inputs[i].source != Source::input) continue;
            std::optional<InputUse>& known = uses[call.inputs[i].index];
            const InputUse use = use_of(call.call, i);
            known = known ? both(*known, use) : use;
        }
    }
    std::vector<InputUse> result;
    result.reserve(uses.size());
    for (const std::optional<InputUse>& use : uses) result.push_back(use.value_or(InputUse{}));
    return result;
}

}  // namespace graphplan::engine
