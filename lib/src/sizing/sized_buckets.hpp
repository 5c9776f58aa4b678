// What a sizing run has found so far, and how it becomes a costs document.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "graphplan/costs.hpp"
#include "graphplan/engine.hpp"
#include "sizing/executable_memory.hpp"
#include "sizing/lending.hpp"
#include "sizing/throwaway.hpp"

namespace graphplan {

/// A walk of a pool with one key: its graphs are lent from and measured together.
struct SizedWalk {
    std::string pool;
    std::string walk;
    std::optional<std::string> key;
    WalkLending lending;
    ExecutableMemory executable;

    std::string label() const;  ///< "llm: decode[cfg]"
};

struct SizedBucket {
    const BucketSpec* spec = nullptr;
    BucketCost cost;
    std::optional<EventTrace> trace;
    bool copied = false;  ///< its graph is the one that measured its walk

    bool lent() const noexcept { return cost.sized_by == SizedBy::lend; }
};

/// Buckets in sizing order, and their walks in order of first appearance. Both stay where they are.
class SizedBuckets {
  public:
    /// A bucket that ran eagerly, whose graph is not sized yet.
    SizedBucket& add(const BucketSpec& bucket, const ForwardResult& forward);
    SizedWalk& walk_of(const BucketSpec& bucket);

    /// No graph, nobody tried to capture one.
    static void leave_out(SizedBucket& sized, const Failure& failure);
    /// The lender's scratch and executable memory, its own kept bytes and eager allocations.
    static void lend(SizedBucket& sized, const SizedWalk& walk, EventTrace eager);
    /// What its own capture measured, or why that failed.
    static void take(SizedBucket& sized, ThrownAway thrown);
    /// What a bucket with a graph of its own lends to others. @pre it has one
    static CapturedSize as_lender(const SizedBucket& sized);

    std::deque<SizedBucket>& all() noexcept { return buckets_; }
    const std::deque<SizedBucket>& all() const noexcept { return buckets_; }
    void release_copies() noexcept;

    /// Fills in pools, walks and traces.
    void write_to(Costs& costs) const;

  private:
    static void price_copied(BucketCost& cost, const ExecutableMemory& executable);

    std::deque<SizedBucket> buckets_;
    std::deque<SizedWalk> walks_;
};

}  // namespace graphplan
