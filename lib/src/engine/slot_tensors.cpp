#include "engine/slot_tensors.hpp"

#include <algorithm>

#include "engine/input_uses.hpp"
#include "model/counts.hpp"

namespace graphplan::engine {
namespace {

// Which of the program's output storages a storage is.
std::size_t output_rank(const LoweredProgram& program, std::size_t storage) {
    std::size_t rank = 0;
    for (std::size_t i = 0; i < storage; ++i) rank += program.storages[i].output ? 1 : 0;
    return rank;
}

// A page table or row offsets, where an operand is one that is not known yet.
void add_state(SlotTensors& tensors, const ForwardRef& forward, const LoweredProgram& program,
               const LoweredCall& call, std::size_t input, const Bindings& bindings) {
    const Operand& operand = call.inputs[input];
    TensorView view = call.call.inputs[input];
    view.address = resolve_bound(bindings, operand);
    if (operand.source == Source::row_offsets) tensors.row_offsets = view;
    if (operand.source != Source::page_table) return;
    const std::string& name = forward.node->resources[operand.index].first;
    const auto is_it = [&](const NamedTensor& known) { return known.name == name; };
    if (std::any_of(tensors.page_tables.begin(), tensors.page_tables.end(), is_it)) return;
    tensors.page_tables.push_back({name, view, 0, program.page_table_counts[operand.index]});
}

}  // namespace

SlotTensors tensors_of(const ForwardRef& forward, const LoweredProgram& program, const Bindings& bindings) {
    SlotTensors tensors;
    const std::vector<InputUse> uses = input_uses(program);
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        const auto& [name, input] = forward.forward->inputs[i];
        const TensorView view{bindings.inputs.inputs[i], input.dtype, program.inputs[i].shape};
        tensors.inputs.push_back(
            {name, view, varying_dimension(input), program.input_counts[i], uses[i].use, uses[i].below});
    }
    for (const LoweredCall& call : program.calls) {
        for (std::size_t i = 0; i < call.inputs.size(); ++i)
            add_state(tensors, forward, program, call, i, bindings);
    }
    return tensors;
}

void name_outputs(SlotTensors& tensors, const ForwardRef& forward, const LoweredProgram& program,
                  const Bindings& bindings, const std::vector<Address>& storages) {
    tensors.outputs.clear();
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
        const Tensor& output = program.outputs[i];
        const Address address = output.operand.source == Source::made
                                    ? storages[output_rank(program, output.operand.index)]
                                    : resolve_bound(bindings, output.operand);
        const TensorView view{address, output.dtype, output.shape};
        tensors.outputs.push_back({forward.forward->outputs[i], view, 0, output.counts});
    }
}

}  // namespace graphplan::engine
