#include "engine/static_inputs.hpp"

#include <algorithm>

namespace graphplan::engine {

void InputBuffers::need(const LoweredProgram& program, std::int64_t bs) {
    input_bytes_.resize(std::max(input_bytes_.size(), program.inputs.size()));
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        const Tensor& input = program.inputs[i];
        input_bytes_[i] = std::max(input_bytes_[i], dense_bytes(input.dtype, input.shape).value_or(0));
    }
    if (program.uses_row_offsets) {
        row_offset_bytes_ = std::max(row_offset_bytes_, (bs + 1) * size_of(DType::i32));
    }
}

void InputBuffers::allocate(Device& device, CachingAllocator& allocator, std::uint64_t stream) {
    const auto zeroed = [&](Bytes bytes) {
        blocks_.emplace_back(allocator, bytes);
        device.fill(blocks_.back().address(), 0, bytes, stream);
        return blocks_.back().address();
    };
    for (const Bytes bytes : input_bytes_) addresses_.inputs.push_back(zeroed(bytes));
    if (row_offset_bytes_ > 0) addresses_.row_offsets = zeroed(row_offset_bytes_);
}

Bytes InputBuffers::bytes() const noexcept {
    Bytes bytes = row_offset_bytes_;
    for (const Bytes input : input_bytes_) bytes += input;
    return bytes;
}

void StaticInputs::need(std::size_t config, const LoweredProgram& program, std::int64_t bs) {
    buffers_[config].need(program, bs);
}

void StaticInputs::claim(Device& device, CachingAllocator& allocator, std::uint64_t stream) {
    for (auto& [config, buffers] : buffers_) buffers.allocate(device, allocator, stream);
}

}  // namespace graphplan::engine
