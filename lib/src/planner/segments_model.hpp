// The segments memory model: kept bytes in whole segments, or buffers for them, and scratch that a pool's
// graphs share.
#pragma once

#include <vector>

#include "planner/output_buffers.hpp"
#include "planner/search.hpp"

namespace graphplan {

/// What a bucket adds: slots × kept in whole segments, or the growth of its walk's buffer, plus what its
/// scratch needs beyond the pool's most so far, plus slots × outside, less what it reuses of the memory that
/// its walk holds.
class SegmentsModel {
  public:
    SegmentsModel(const Catalog& catalog, const Reuse& reuse);

    Bytes cost(ItemIndex item) const noexcept;
    /// Takes the bucket and returns what it cost.
    Bytes take(ItemIndex item) noexcept;

    const Catalog& catalog() const noexcept { return catalog_; }
    /// The most scratch that a taken bucket of the pool needs.
    Bytes scratch(std::uint32_t pool) const noexcept { return scratch_[pool]; }
    /// What a walk's graphs may still reuse by its own account, and all walks' together.
    Bytes unused(std::uint32_t walk) const noexcept { return unused_[walk]; }
    Bytes reusable() const noexcept { return reusable_; }
    const OutputBuffers& buffers() const noexcept { return buffers_; }
    PoolFigures figures(std::uint32_t pool) const noexcept;

  private:
    Bytes reused(const Item& item) const noexcept;

    const Catalog& catalog_;
    OutputBuffers buffers_;
    std::vector<Bytes> scratch_;
    std::vector<PoolFigures> kept_and_outside_;
    std::vector<Bytes> unused_;
    Bytes reusable_ = 0;
};

}  // namespace graphplan
