#include "engine/execution.hpp"

#include <algorithm>

namespace graphplan::engine {

Address resolve_bound(const Bindings& bindings, const Operand& operand) {
    switch (operand.source) {
        case Source::made: return 0;
        case Source::input: return bindings.inputs.inputs[operand.index];
        case Source::weight: return (*bindings.weights)[operand.index];
        case Source::cache: return bindings.resources[operand.index].cache;
        case Source::page_table: return bindings.resources[operand.index].page_table;
        case Source::random_state: return bindings.resources[operand.index].random_state;
        case Source::row_offsets: return bindings.inputs.row_offsets;
    }
    return 0;
}

Execution::Execution(const Target& target, const LoweredProgram& program, const Bindings& bindings,
                     const OutputPlace& outputs)
    : target_(target),
      program_(program),
      bindings_(bindings),
      outputs_(outputs),
      made_(program.storages.size()) {}

void Execution::run() {
    for (const LoweredCall& call : program_.calls) run_call(call);
    if (outputs_.copied_out) note_outputs_left();
}

void Execution::run_call(const LoweredCall& lowered) {
    for (const Operand& output : lowered.outputs) {
        made_[output.index] = make(program_.storages[output.index]);
    }
    OperatorCall call = lowered.call;
    const auto fill = [&](std::vector<TensorView>& views, const std::vector<Operand>& operands) {
        for (std::size_t i = 0; i < views.size(); ++i) views[i].address = resolve(operands[i]);
    };
    fill(call.inputs, lowered.inputs);
    fill(call.weights, lowered.weights);
    fill(call.outputs, lowered.outputs);
    target_.device->run(call, *this, target_.stream->id());
    for (Held& temporary : temporaries_) free(temporary);
    temporaries_.clear();
    for (const std::size_t storage : lowered.dead) free(made_[storage]);
}

Address Execution::resolve(const Operand& operand) const {
    if (operand.source == Source::made) return made_[operand.index].address;
    return resolve_bound(bindings_, operand);
}

Execution::Held Execution::make(const Storage& storage) {
    if (!storage.output || outputs_.copied_out) return allocate(storage.bytes, EventTag::none);
    if (outputs_.address == 0) return allocate(storage.bytes, EventTag::output);
    return {Block(), outputs_.address + static_cast<Address>(storage.output_offset), 0};
}

Execution::Held Execution::allocate(Bytes bytes, EventTag tag) {
    Held held{Block(*target_.allocator, bytes, target_.pool), 0, next_id_++};
    held.address = held.block.address();
    trace_.push_back({true, tag, held.id, bytes});
    return held;
}

void Execution::free(Held& held) {
    held.block = Block();
    trace_.push_back({false, EventTag::none, held.id, 0});
}

Address Execution::temporary(Bytes bytes) {
    if (bytes == 0) return 0;
    temporaries_.push_back(allocate(bytes, EventTag::none));
    return temporaries_.back().address;
}

Address Execution::workspace(std::string_view library, Bytes bytes) {
    if (bytes == 0) return 0;
    const auto serves = [&](const auto& used) { return used.first == library && used.second >= bytes; };
    if (std::none_of(workspaces_used_.begin(), workspaces_used_.end(), serves)) {
        workspaces_used_.emplace_back(library, bytes);
        trace_.push_back({true, EventTag::workspace, next_id_++, bytes});
    }
    return target_.workspaces->get(library, bytes);
}

// The trace of a pass whose outputs leave ends as if they were freed once copied.
void Execution::note_outputs_left() {
    for (std::size_t i = 0; i < made_.size(); ++i) {
        if (program_.storages[i].output) trace_.push_back({false, EventTag::none, made_[i].id, 0});
    }
}

std::vector<Block> Execution::take_outputs() {
    std::vector<Block> outputs;
    for (std::size_t i = 0; i < made_.size(); ++i) {
        if (program_.storages[i].output) outputs.push_back(std::move(made_[i].block));
    }
    return outputs;
}

std::vector<Address> Execution::output_addresses() const {
    std::vector<Address> addresses;
    for (std::size_t i = 0; i < made_.size(); ++i) {
        if (program_.storages[i].output) addresses.push_back(made_[i].address);
    }
    return addresses;
}

}  // namespace graphplan::engine
