// What steps cost with some buckets captured: the traffic on one rank's buckets.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graphplan/plan.hpp"
#include "planner/catalog.hpp"

namespace graphplan {

/// A shape that arrives, on the buckets of its walk.
struct WorkloadStep {
    std::int64_t bs = 0;
    std::int64_t tokens = 0;
    double weight = 0;
    ItemIndex tightest = 0;  ///< of all buckets, captured or not: it says what the step takes eagerly
};

/// The buckets of one walk (and key) of a pool that arrive in the traffic.
struct WorkloadWalk {
    std::uint32_t pool = 0;
    std::uint32_t walk = 0;  ///< index into Catalog::walks
    /// A region's step takes its tightest bucket or none, a walk's the tightest captured one.
    bool is_region = false;
    std::vector<ItemIndex> items;  ///< the tightest first
    std::vector<WorkloadStep> steps;
};

class Workload {
  public:
    /// The catalog outlives it. @throws Error invalid_document at the step that names no walk of the costs
    /// or one of several pools, where a bucket lacks the times that the traffic needs, or where no step
    /// fits any bucket
    Workload(const Catalog& catalog, const Traffic& traffic);

    const Catalog& catalog() const noexcept { return *catalog_; }
    const std::vector<WorkloadWalk>& walks() const noexcept { return walks_; }

    double replay_us(ItemIndex item) const { return (*catalog_)[item].cost->replay_us->median; }
    double eager_us(ItemIndex item) const { return (*catalog_)[item].cost->eager_us->median; }
    /// Whether a step may run on a bucket.
    bool fits(const WorkloadStep& step, ItemIndex item) const;
    /// The bucket whose graph a step replays, if one of those captured fits.
    std::optional<ItemIndex> replayed(const WorkloadWalk& walk, const WorkloadStep& step,
                                      const std::vector<bool>& captured) const;

    /// Weighted microseconds of all steps of a walk that some bucket fits; of all walks.
    double time(const WorkloadWalk& walk, const std::vector<bool>& captured) const;
    double time(const std::vector<bool>& captured) const;
    /// What capturing, or no longer capturing, one more bucket changes of that; less than 0 is faster.
    double change(ItemIndex item, std::vector<bool>& captured) const;
    /// The weight of all steps that some bucket fits.
    double weight() const noexcept { return weight_; }
    Expected expected(const std::vector<bool>& captured) const;

  private:
    class Reader;
    const Catalog* catalog_;
    std::vector<WorkloadWalk> walks_;
    std::vector<std::optional<std::uint32_t>> walk_of_;  ///< [walk of the catalog]: index into walks_
    double weight_ = 0;
    double beyond_ = 0;
};

}  // namespace graphplan
