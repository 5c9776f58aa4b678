#include "engine/lowered.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "memory/allocator_rules.hpp"

namespace graphplan::engine {
namespace {

void pack_outputs(LoweredProgram& program) {
    program.packed_output_bytes = 0;
    for (Storage& storage : program.storages) {
        if (!storage.output) continue;
        storage.output_offset = program.packed_output_bytes;
        program.packed_output_bytes += round_up(storage.bytes, AllocatorRules::kMinBlock);
    }
}

}  // namespace

std::string to_text(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

std::optional<Bytes> dense_bytes(DType dtype, const Shape& shape) noexcept {
    constexpr Bytes most = Bytes{8} * 1024 * kGiB;
    Bytes bytes = size_of(dtype);
    for (const std::int64_t size : shape) {
        if (size < 1 || size > most / bytes) return std::nullopt;
        bytes *= size;
    }
    return bytes;
}

Bytes LoweredProgram::output_bytes() const noexcept {
    Bytes bytes = 0;
    for (const Storage& storage : storages) bytes += storage.output ? storage.bytes : 0;
    return bytes;
}

void set_lifetimes(LoweredProgram& program) {
    for (const Tensor& output : program.outputs) {
        if (output.operand.source == Source::made) program.storages[output.operand.index].output = true;
    }
    pack_outputs(program);
    std::vector<bool> read_later(program.storages.size());
    const auto note = [&](LoweredCall& call, const std::vector<Operand>& operands) {
        for (const Operand& operand : operands) {
            if (operand.source != Source::made || program.storages[operand.index].output) continue;
            if (!read_later[operand.index]) call.dead.push_back(operand.index);
            read_later[operand.index] = true;
        }
    };
    for (auto call = program.calls.rbegin(); call != program.calls.rend(); ++call) {
        note(*call, call->inputs);
        note(*call, call->outputs);
    }
}

}  // namespace graphplan::engine
