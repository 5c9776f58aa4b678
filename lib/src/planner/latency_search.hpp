// The set of buckets with the least expected step time.
#pragma once

#include <vector>

#include "planner/latency_choice.hpp"
#include "planner/latency_ladder.hpp"
#include "planner/latency_memory.hpp"

namespace graphplan {

/// Counts memory as the segments model does, in whole segments. Where the tables for every amount of memory
/// are small enough, the answer is the optimum, else the best one found, with a bound.
class LatencySearch {
  public:
    /// All outlive it. Buckets with a flag in `forced` are captured. @throws Error as LadderGraph does
    LatencySearch(const Workload& workload, const LatencyMemory& memory, const std::vector<bool>& forced);

    /// `room` is at least what the forced buckets take.
    LatencyChoice choose(Units room) const;
    /// What all buckets that the traffic asks for take.
    Units most() const;

  private:
    /// Leaves out what brings nothing.
    void drop_useless(std::vector<bool>& captured) const;

    const Workload& workload_;
    const LatencyMemory& memory_;
    const std::vector<bool>& forced_;
    std::vector<std::vector<LadderGraph>> pools_;  ///< the ladders of each pool
};

}  // namespace graphplan
