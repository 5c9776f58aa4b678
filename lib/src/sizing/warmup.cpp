#include "sizing/warmup.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace graphplan {
namespace {

constexpr std::size_t kReasonLimit = 2000;

std::string remedy(const Error& error) {
    if (error.code() == ErrorCode::out_of_memory) {
        return "Free device memory, make the bucket smaller or take it out of the buckets document";
    }
    return "Find out why this step fails by itself, or take the bucket out of the buckets document";
}

Error failed_warm_up(const BucketSpec& bucket, std::int64_t slot, Bytes free_bytes, const Error& error) {
    return {error.code(),
            fmt::format(
                "{}, slot {}: could not run it eagerly to size its graph, with {} free before it: {}. A step "
                "that cannot run here cannot run beside graphs either, and without its peak no floor can be "
                "trusted. {}; \"capture\": \"deny\" does not help, since denied buckets are warmed up too.",
                label_of(bucket), slot, format_bytes(free_bytes), shortened(error.what(), kReasonLimit),
                remedy(error))};
}

}  // namespace

std::string label_of(const BucketSpec& bucket) {
    return fmt::format("{}: {}", shortened(bucket.pool, 200), shortened(to_string(bucket.id), 400));
}

WarmSlot warm_up(Engine& engine, const BucketSpec& bucket, std::int64_t slot, int forwards) {
    const Bytes free_bytes = engine.device().memory().free_bytes;
    try {
        WarmSlot warm{engine.prepare(bucket, slot), {}};
        for (int i = 0; i < forwards; ++i) warm.last = warm.slot->forward();
        return warm;
    } catch (const Error& error) {
        throw failed_warm_up(bucket, slot, free_bytes, error);
    }
}

Error poisoned_by(const BucketSpec& bucket, const std::string& reason) {
    return {ErrorCode::device,
            fmt::format("{}: the attempt to capture it broke the device's context: {}. Nothing more can be "
                        "measured in this process. Give this capture \"capture\": \"deny\" in the buckets "
                        "document, which warms it up and never captures it, and size again.",
                        label_of(bucket), shortened(reason, kReasonLimit))};
}

}  // namespace graphplan
