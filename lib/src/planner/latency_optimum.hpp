// The optimum over all pools, from tables for every amount of memory.
#pragma once

#include <vector>

#include "planner/latency_choice.hpp"
#include "planner/latency_table.hpp"

namespace graphplan {

/// Pools are added one after another. A pool is worked out for each limit that its buckets' scratch can
/// have: with the limit given, its walks no longer share anything but the memory.
class LatencyOptimum {
  public:
    using Pools = std::vector<std::vector<LadderGraph>>;  ///< the ladders of each pool

    LatencyOptimum(const LatencyMemory& memory, const Pools& pools, Units room);

    /// Whether the tables are small enough to work out.
    bool is_small() const;
    LatencyChoice choose() const;

  private:
    /// The best limit of a pool's scratch for each place of the result.
    struct Added {
        TimesByMemory times;
        std::vector<std::vector<Units>> scratch;
    };
    Added add(const TimesByMemory& before, std::size_t pool) const;
    MemoryPoint trace(const TimesByMemory& before, const Added& added, std::size_t pool, MemoryPoint at,
                      std::vector<bool>& captured) const;

    const LatencyMemory& memory_;
    const Pools& pools_;
    Units room_;
    std::size_t reuses_;
};

/// The limits of scratch that can matter to a pool: none, or a bucket's.
std::vector<Units> scratch_limits(const LatencyMemory& memory, const std::vector<LadderGraph>& ladders);

}  // namespace graphplan
