// Warm-ups: each slot of a bucket is prepared and run eagerly before anything of it is captured.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "graphplan/engine.hpp"

namespace graphplan {

/// "llm: decode bs=64 tokens=64": how messages call a bucket.
std::string label_of(const BucketSpec& bucket);

/// A slot that ran eagerly and is still prepared.
struct WarmSlot {
    std::unique_ptr<PreparedSlot> slot;
    ForwardResult last;  ///< of its last forward: earlier ones may still tune and load
};

/// Prepares a slot and runs it `forwards` times, at least once. A step that cannot run must end the
/// sizing: left out, its peak would be missing from the floor.
/// @throws Error with the code of what failed, naming bucket, slot, the free memory before and the reason
WarmSlot warm_up(Engine& engine, const BucketSpec& bucket, std::int64_t slot, int forwards);

/// The error for a bucket whose capture broke the device's context.
Error poisoned_by(const BucketSpec& bucket, const std::string& reason);

}  // namespace graphplan
