// Times buckets here and, after a capture that broke the context, in processes of their own.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends.hpp"
#include "command.hpp"
#include "graphplan/engine.hpp"
#include "graphplan/model.hpp"
#include "output.hpp"
#include "timings.hpp"

namespace graphplan::cli {

struct TimingRun {
    const Model& model;
    const Buckets& buckets;
    const DeviceChoice& device;
    TimingOptions options;
    std::function<bool(const BucketSpec&)> select;  ///< which buckets; none: all
    std::vector<std::string> child;  ///< arguments that time the same in another process, document to stdout
    bool isolated = false;           ///< no bucket is timed in this process
};

/// Buckets of the selection to time in one process: `count` from the `first` on.
struct TimingPart {
    std::size_t first = 0;
    std::optional<std::size_t> count;  ///< absent: all the rest
};

/// Times a part in this process. Ends early where the context breaks or somebody interrupts.
/// @throws Error invalid_argument where the selection holds no bucket; device and others of the claim
Timings time_here(const TimingRun& run, const TimingPart& part, const Streams& streams, const Output& output);

/// Times the whole selection. What breaks its process costs only itself: the rest is timed in a fresh one.
/// What was measured stands in the result even where somebody interrupts; then `left` is not 0.
Timings time_all(const TimingRun& run, const Streams& streams, const Output& output);

/// 130 for interrupted, 1 where a bucket has no time, broke its context or ended its process, else 0.
int exit_code_of(const Timings& timings);

}  // namespace graphplan::cli
