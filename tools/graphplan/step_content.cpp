#include "step_content.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace graphplan::cli {
namespace {

using Use = NamedTensor::Use;

bool is_float(DType dtype) noexcept {
    return dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16;
}

/// Of the dimension that varies; a scalar is one of its own.
std::int64_t varying_size(const NamedTensor& input) {
    return input.view.shape.empty() ? 1 : input.view.shape[input.varies];
}

/// The bits of sixty-fourths, which all three types hold exactly.
std::uint32_t float_bits(DType dtype, std::int64_t sixty_fourths) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(sixty_fourths) / 64);
    if (dtype == DType::f32) return bits;
    if (dtype == DType::bf16) return bits >> 16;
    if (sixty_fourths == 0) return 0;
    const std::uint32_t exponent = ((bits >> 23) & 0xff) - 127 + 15;
    return (bits >> 31) << 15 | exponent << 10 | ((bits >> 13) & 0x3ff);
}

}  // namespace

std::int64_t StepContent::below(std::int64_t limit) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(limit));
}

void StepContent::draw(const SlotTensors& tensors, const BucketShape& shape, const BucketShape& real,
                       bool packed) {
    lengths_.clear();
    positions_.clear();
    if (packed && tensors.row_offsets) draw_lengths(real);
    draw_pages(tensors, shape, real);
    inputs_.clear();
    for (const NamedTensor& input : tensors.inputs) draw_input(input, shape, real);
}

void StepContent::draw_lengths(const BucketShape& real) {
    lengths_.resize(static_cast<std::size_t>(real.bs));
    for (std::int64_t token = 0; token < real.tokens; ++token) {
        ++lengths_[static_cast<std::size_t>(token < real.bs ? token : below(real.bs))];
    }
    for (const std::int64_t length : lengths_) {
        for (std::int64_t position = 0; position < length; ++position) positions_.push_back(position);
    }
}

// Page 0 is the sink: it is nobody's own.
void StepContent::draw_pages(const SlotTensors& tensors, const BucketShape& shape, const BucketShape& real) {
    tables_.clear();
    const std::int64_t longest =
        lengths_.empty() ? kMostContext : *std::max_element(lengths_.begin(), lengths_.end());
    for (const NamedTensor& table : tensors.page_tables) {
        const std::int64_t rows = real_size(table.view.shape[0], table.counts, shape, real);
        Table& drawn = tables_.emplace_back();
        drawn.pages = table.view.shape[1];
        drawn.own = std::min((drawn.pages - 1) / rows, longest);
        for (std::int64_t row = 0; row < rows; ++row) {
            std::vector<std::int32_t>& own = drawn.rows.emplace_back();
            for (std::int64_t i = 0; i < drawn.own; ++i)
                own.push_back(static_cast<std::int32_t>(1 + row * drawn.own + i));
        }
    }
}

void StepContent::draw_input(const NamedTensor& input, const BucketShape& shape, const BucketShape& real) {
    Drawn& drawn = inputs_.emplace_back();
    const std::int64_t whole = varying_size(input);
    drawn.dtype = input.view.dtype;
    drawn.count = real_size(whole, input.counts, shape, real);
    const std::int64_t elements = input.view.elements() / whole * drawn.count;
    const Bytes size = size_of(drawn.dtype);
    drawn.bytes = elements * size;
    if (is_float(drawn.dtype)) {
        drawn.offset = draw_floats(drawn.dtype, elements);
        return;
    }
    drawn.integers.resize(static_cast<std::size_t>(drawn.bytes));
    if (input.use == Use::other) return;
    for (std::int64_t i = 0; i < elements; ++i) {
        const std::int64_t number = draw_integer(input, i, real);
        // Little-endian, as every device here is: the low bytes come first.
        std::memcpy(&drawn.integers[static_cast<std::size_t>(i * size)], &number,
                    static_cast<std::size_t>(size));
    }
}

std::int64_t StepContent::draw_integer(const NamedTensor& input, std::int64_t token,
                                       const BucketShape& real) {
    if (input.use == Use::index) return below(input.below);
    const auto at = static_cast<std::size_t>(token);
    if (!lengths_.empty()) return std::min(at < positions_.size() ? positions_[at] : 0, input.below - 1);
    if (tables_.empty())
        return std::min(token % std::max<std::int64_t>(1, real.tokens / real.bs), input.below - 1);
    std::int64_t limit = std::min(kMostContext, input.below);
    // A page holds at least this many tokens, since the smallest cache bounds positions.
    for (const Table& table : tables_) limit = std::min(limit, table.own * (input.below / table.pages));
    return below(std::max<std::int64_t>(1, limit));
}

std::size_t StepContent::draw_floats(DType dtype, std::int64_t count) {
    constexpr std::int64_t places = 4096;
    const auto size = static_cast<std::size_t>(size_of(dtype));
    Bytestring& floats = floats_[dtype];
    while (floats.size() < static_cast<std::size_t>(count + places) * size) {
        const std::uint32_t bits = float_bits(dtype, below(129) - 64);
        floats.resize(floats.size() + size);
        std::memcpy(&floats[floats.size() - size], &bits, size);
    }
    return static_cast<std::size_t>(below(places)) * size;
}

const unsigned char* StepContent::content(const Drawn& input) const {
    return is_float(input.dtype) ? floats_.at(input.dtype).data() + input.offset : input.integers.data();
}

void StepContent::stage(ReplaySession& session, const Lease& lease) const {
    const SlotTensors& tensors = session.tensors(lease);
    for (std::size_t table = 0; table < tables_.size(); ++table) {
        std::vector<PageRow> rows;
        for (const std::vector<std::int32_t>& own : tables_[table].rows)
            rows.push_back({static_cast<std::int64_t>(rows.size()), 0, own});
        session.prepare(lease, tensors.page_tables[table].name, rows);
    }
    std::vector<StagedInput> staged;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        staged.push_back({tensors.inputs[i].name, inputs_[i].count, 0, content(inputs_[i])});
    session.stage(lease, staged, lengths_);
}

void StepContent::write(Device& device, PreparedSlot& slot, std::uint64_t stream) const {
    const SlotTensors& tensors = slot.tensors();
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        device.upload(tensors.inputs[i].view.address, content(inputs_[i]), inputs_[i].bytes, stream);
    for (std::size_t table = 0; table < tables_.size(); ++table) {
        const TensorView& view = tensors.page_tables[table].view;
        Address to = view.address;
        for (const std::vector<std::int32_t>& own : tables_[table].rows) {
            if (!own.empty())
                device.upload(to, own.data(), static_cast<Bytes>(own.size() * sizeof(own[0])), stream);
            to += static_cast<Address>(view.shape[1] * size_of(view.dtype));
        }
    }
    if (!lengths_.empty()) slot.set_row_lengths(lengths_);
    device.synchronize(stream);
}

}  // namespace graphplan::cli
