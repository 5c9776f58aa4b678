#include "replay/staging.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

namespace graphplan::replay {
namespace {

void put(Device& device, Address to, const StagedInput& content, Bytes offset, Bytes bytes,
         std::uint64_t stream) {
    if (content.device != 0) {
        device.copy(to, content.device + static_cast<Address>(offset), bytes, stream);
    } else {
        device.upload(to, static_cast<const unsigned char*>(content.host) + offset, bytes, stream);
    }
}

}  // namespace

void stage_input(Device& device, const NamedTensor& input, const StagedInput& content, bool zero_tail,
                 std::uint64_t stream) {
    const std::vector<std::int64_t>& shape = input.view.shape;
    const std::int64_t most = shape.empty() ? 1 : shape[input.varies];  // a scalar is one of its own
    if (content.count < 0 || content.count > most || (content.device == 0 && content.host == nullptr)) {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("input {}: {} given along dimension {}; expected content for 0 to {}",
                                quoted(input.name), content.count, input.varies, most));
    }
    std::int64_t outer = 1;
    Bytes inner = size_of(input.view.dtype);
    for (std::size_t i = 0; i < shape.size(); ++i)
        (i < input.varies ? outer : inner) *= i == input.varies ? 1 : shape[i];
    const Bytes real = content.count * inner;
    const Bytes whole = most * inner;
    for (std::int64_t i = 0; i < outer; ++i) {
        const Address to = input.view.address + static_cast<Address>(i * whole);
        if (real > 0) put(device, to, content, i * real, real, stream);
        if (zero_tail && real < whole) device.fill(to + static_cast<Address>(real), 0, whole - real, stream);
    }
}

void write_offsets(std::vector<std::int32_t>& offsets, std::int64_t rows, std::int64_t tokens,
                   std::span<const std::int64_t> lengths) noexcept {
    const std::int64_t each = rows > 0 ? tokens / rows : 0;
    std::int64_t end = 0;
    offsets[0] = 0;
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
        if (!lengths.empty()) {
            end += row < lengths.size() ? lengths[row] : 0;
        } else if (static_cast<std::int64_t>(row) < rows) {
            end += row == 0 ? tokens - each * (rows - 1) : each;
        }
        offsets[row + 1] = static_cast<std::int32_t>(end);
    }
}

std::int64_t real_rows(const NamedTensor& tensor, const Lease& lease) noexcept {
    const BucketKey& whole = lease.bucket->id;
    return real_size(tensor.view.shape[0], tensor.counts, {whole.bs, whole.tokens}, {lease.bs, lease.tokens});
}

}  // namespace graphplan::replay
