// Which buckets one rank captures for the least expected step time.
#pragma once

#include <optional>
#include <vector>

#include "planner/latency_choice.hpp"
#include "planner/latency_memory.hpp"
#include "planner/latency_search.hpp"
#include "planner/rank_rules.hpp"

namespace graphplan {

struct FastestSet {
    std::vector<bool> captured;  ///< [item]
    double lower_us = 0;         ///< no set that fits takes less, weighted
};

/// The optimum by segments. The allocator may take less or more than that, so under the exact model the
/// sets that are best for any amount of segments, and their neighbours, are replayed, the fastest first,
/// until one fits. Which sets these are doesn't depend on the room: more of it never makes a plan slower.
class FastestSearch {
  public:
    /// All outlive it. `room` is not negative.
    FastestSearch(const Workload& workload, const RankRules& rules, const CaptureOrder& order, Bytes room);

    /// Nothing if the forced buckets alone do not fit.
    std::optional<FastestSet> choose(const std::vector<bool>& forced) const;

  private:
    std::optional<FastestSet> by_segments(const LatencySearch& search, const std::vector<bool>& forced) const;
    std::optional<FastestSet> by_allocator(const LatencySearch& search,
                                           const std::vector<bool>& forced) const;
    /// The optima for all amounts of segments, the fastest first; the last one is `forced` alone.
    std::vector<std::vector<bool>> optima(const LatencySearch& search, const std::vector<bool>& forced) const;
    bool fits(const std::vector<bool>& captured) const;

    const Workload& workload_;
    const Catalog& catalog_;
    const RankRules& rules_;
    const CaptureOrder& order_;
    Bytes room_;
    LatencyMemory memory_;
};

/// The items with a flag, in the order to capture in.
std::vector<ItemIndex> in_capture_order(const std::vector<bool>& captured, const CaptureOrder& order);

/// A plan's buckets as flags of a rank's items.
std::vector<bool> captured_in(const Plan& plan, const Catalog& catalog);

}  // namespace graphplan
