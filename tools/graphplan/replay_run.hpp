// Drives steps through a session and times them by device events.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <vector>

#include "serving.hpp"
#include "traffic_source.hpp"

namespace graphplan::cli {

/// Times of steps, in microseconds.
struct Latencies {
    std::vector<double> us;
    double total() const;
    double mean() const { return us.empty() ? 0 : total() / static_cast<double>(us.size()); }
    /// The nearest rank's. There is at least one.
    double quantile(double share) const;
};

/// What went through one captured bucket.
struct BucketUse {
    std::string pool;
    BucketKey id;
    Latencies replay_us;
    std::int64_t real_tokens = 0, tokens = 0;
};

struct ReplayRun {
    std::vector<BucketUse> buckets;            ///< in the order of their first use
    Latencies replay_us;                       ///< steps that replayed
    Latencies eager_us;                        ///< steps that ran eagerly since no bucket fits
    Latencies replaced_us;                     ///< the steps that replayed, had they run eagerly
    std::int64_t real_tokens = 0, tokens = 0;  ///< of steps that replayed, and of their buckets
    std::int64_t steps_left = 0;               ///< that somebody's interrupt kept from running

    std::size_t steps() const { return replay_us.us.size() + eager_us.us.size(); }
    double hit_rate() const;
    double padding_waste() const;
};

/// Runs `steps` steps one after another, each waited for; fewer, but one, where somebody interrupts. `seed`
/// draws what they bring. @throws Error out_of_memory, device
ReplayRun run_steps(Serving& serving, TrafficSource& traffic, std::int64_t steps, std::uint64_t seed,
                    const std::stop_token& stop);

}  // namespace graphplan::cli
