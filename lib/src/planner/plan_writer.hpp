// Puts the ranks' choices together into one plan.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graphplan/planner.hpp"
#include "planner/joint_buckets.hpp"
#include "planner/rank_plan.hpp"

namespace graphplan {

/// A bucket is captured if every rank chose it. What the ranks' figures then are is worked out again
/// for the buckets that they have in common, in the joint order.
class PlanWriter {
  public:
    PlanWriter(std::deque<RankChoice>& ranks, const JointBuckets& joint, const RankRules& rules);

    /// Everything but provenance.
    Plan write();
    /// One line for each pool whose prediction hangs on where the driver puts segments.
    const std::vector<std::string>& warnings() const noexcept { return warnings_; }

  private:
    struct Added {
        Bytes bytes = 0;
        std::int64_t chosen = -1;  ///< not captured
    };

    void agree();
    void work_out_again();
    PoolPlan pool(const JointBuckets::Pool& pool);
    void set_figures(PoolPlan& plan, const JointBuckets::Pool& pool,
                     const std::vector<std::uint32_t>& captured);
    /// Of captured buckets, for ranks from `first` to before `last`.
    std::vector<OutputBuffer> buffers(const std::vector<std::uint32_t>& captured, std::size_t first,
                                      std::size_t last) const;
    EagerBucket eager(std::uint32_t bucket);
    EagerBucket missing_on(std::uint32_t bucket, std::size_t rank) const;
    const BucketCost& cost(std::uint32_t bucket) const;

    std::deque<RankChoice>& ranks_;
    const JointBuckets& joint_;
    RankRules rules_;
    std::vector<CaptureOrder> orders_;
    std::vector<std::unique_ptr<Search>> again_;
    std::vector<Search*> figures_;  ///< of the common buckets, one for each rank
    std::vector<Budget> budgets_;
    std::vector<Added> added_;  ///< one for each bucket
    std::size_t tightest_ = 0;
    std::vector<std::string> warnings_;
};

}  // namespace graphplan
