// A pool whose taken buckets run through the allocator in capture order.
#pragma once

#include <vector>

#include "planner/capture_order.hpp"
#include "planner/pool_replay.hpp"

namespace graphplan {

class ExactPool {
  public:
    ExactPool(const Catalog& catalog, PoolReplay& replay, const CaptureOrder& order) noexcept
        : catalog_(catalog), replay_(replay), order_(order) {}

    /// What the pool takes, and what its regions keep outside it.
    Bytes bytes() const noexcept { return pool_bytes_ + region_bytes_; }
    /// In capture order.
    const std::vector<ItemIndex>& taken() const noexcept { return taken_; }
    /// What its regions keep outside it.
    Bytes outside_pool() const noexcept { return region_bytes_; }

    /// No more than what it would take with `item` too: what is live at once at some time.
    Bytes lower_bound(ItemIndex item) const;
    /// What it would take with `item` too; nothing if that is more than `limit`.
    std::optional<Bytes> with(ItemIndex item, Bytes limit);
    /// `bytes` is what `with` says for it.
    void take(ItemIndex item, Bytes bytes);

  private:
    /// What is live around one of `taken_`'s places, at least.
    struct Around {
        LiveBytes kept;        ///< by the captures before it
        LiveBytes peak;        ///< at most, during those
        LiveBytes workspaces;  ///< that those made
        LiveBytes peak_from;   ///< at most, from it on
    };

    LiveBytes peak_at(const Around& place, ItemIndex item) const;
    void measure();
    std::size_t place_of(ItemIndex item) const;

    const Catalog& catalog_;
    PoolReplay& replay_;
    const CaptureOrder& order_;
    std::vector<ItemIndex> taken_;
    std::vector<ItemIndex> tried_;
    std::vector<Around> around_{1};  ///< one for each place, the one past the last too
    Bytes pool_bytes_ = 0;
    Bytes region_bytes_ = 0;
};

}  // namespace graphplan
