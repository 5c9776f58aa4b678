// The buffers outside the pools that walks' graphs share for their outputs.
#pragma once

#include <vector>

#include "planner/catalog.hpp"

namespace graphplan {

/// Each as large as its walk's taken buckets need; none where graphs keep outputs of their own.
class OutputBuffers {
  public:
    /// The catalog outlives it.
    explicit OutputBuffers(const Catalog& catalog)
        : catalog_(catalog), walks_(catalog.walks().size()), pools_(catalog.pool_count()) {}

    /// What taking the bucket would add to its walk's.
    Bytes growth(ItemIndex item) const noexcept;
    void take(ItemIndex item) noexcept;
    /// Whether a walk's holds the bucket's outputs as it is; it never shrinks.
    bool holds(const Item& item) const noexcept { return with(item) == walks_[item.walk]; }
    /// A walk's, and what it would be with the bucket.
    BufferSize of_walk(std::uint32_t walk) const noexcept { return walks_[walk]; }
    BufferSize with(const Item& item) const noexcept { return larger(walks_[item.walk], item.buffer); }
    /// The sum over a pool's walks.
    Bytes of_pool(std::uint32_t pool) const noexcept { return pools_[pool]; }

  private:
    const Catalog& catalog_;
    std::vector<BufferSize> walks_;
    std::vector<Bytes> pools_;
};

}  // namespace graphplan
