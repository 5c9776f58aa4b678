#include "replay/shared_outputs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

namespace graphplan::replay {

bool share_outputs(const BucketSpec& a, const BucketSpec& b) noexcept {
    return !a.is_region && !b.is_region && a.pool == b.pool && a.id.walk == b.id.walk && a.id.key == b.id.key;
}

Segment::Segment(Device& device, Bytes bytes)
    : device_(&device),
      address_(device.allocate(round_up(bytes, kSegment))),
      bytes_(round_up(bytes, kSegment)) {}

Segment& Segment::operator=(Segment&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

Segment::~Segment() {
    if (device_ != nullptr) device_->release(address_, bytes_);
}

std::vector<SharedOutputs::Need> SharedOutputs::needs_of(std::span<const BucketSpec* const> buckets) {
    std::vector<Need> needs;
    for (const BucketSpec* bucket : buckets) {
        if (bucket->is_region || bucket->output_bytes == 0) continue;
        auto need = std::find_if(needs.begin(), needs.end(),
                                 [&](const Need& known) { return share_outputs(*known.first, *bucket); });
        if (need == needs.end()) need = needs.insert(needs.end(), Need{bucket, 0, 0});
        need->slots = std::max(need->slots, bucket->slots);
        need->slot_bytes = std::max(need->slot_bytes, bucket->output_bytes);
    }
    return needs;
}

SharedOutputs::SharedOutputs(Device& device, std::span<const BucketSpec* const> buckets) {
    for (const Need& need : needs_of(buckets)) {
        try {
            buffers_.push_back({need, Segment(device, need.slots * need.slot_bytes)});
        } catch (const Error& error) {
            const BucketKey& id = need.first->id;
            throw Error(error.code(),
                        fmt::format("claiming shared outputs of {}: {}{}, {} of {}: {}",
                                    shortened(need.first->pool, 200), shortened(id.walk, 200),
                                    id.key ? fmt::format("[{}]", shortened(*id.key, 200)) : "",
                                    need.slots == 1 ? "1 slot" : fmt::format("{} slots", need.slots),
                                    format_bytes(need.slot_bytes), error.what()),
                        error.device_code());
        }
    }
}

Address SharedOutputs::of(const BucketSpec& bucket, std::int64_t slot) const noexcept {
    for (const Buffer& buffer : buffers_) {
        if (!share_outputs(*buffer.need.first, bucket)) continue;
        return buffer.memory.address() + static_cast<Address>(slot * buffer.need.slot_bytes);
    }
    return 0;
}

Bytes SharedOutputs::bytes(std::string_view pool) const noexcept {
    Bytes bytes = 0;
    for (const Buffer& buffer : buffers_)
        bytes += buffer.need.first->pool == pool ? buffer.memory.bytes() : 0;
    return bytes;
}

void SharedOutputs::drop_unused(const std::vector<CapturedBucket>& captured) {
    std::erase_if(buffers_, [&](const Buffer& buffer) {
        return std::none_of(captured.begin(), captured.end(), [&](const CapturedBucket& bucket) {
            return share_outputs(*buffer.need.first, *bucket.spec);
        });
    });
}

}  // namespace graphplan::replay
