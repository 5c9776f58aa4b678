// The buckets of all ranks, matched by pool and shape.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner/capture_order.hpp"
#include "planner/catalog.hpp"

namespace graphplan {

/// Pools and buckets in rank 0's order; those that rank 0 lacks follow, in the order of the first rank
/// that has them. The catalogs outlive it.
class JointBuckets {
  public:
    explicit JointBuckets(std::span<const Catalog> ranks);

    struct Pool {
        std::string name;
        std::vector<std::uint32_t> buckets;            ///< numbers, in sizing order
        std::vector<std::optional<std::uint32_t>> at;  ///< its index on each rank
    };

    const std::vector<Pool>& pools() const noexcept { return pools_; }
    std::uint32_t size() const noexcept { return size_; }
    /// A bucket's item on a rank; nothing where the rank lacks it.
    std::optional<ItemIndex> item(std::uint32_t bucket, std::size_t rank) const noexcept;
    /// A bucket's number by its item on a rank.
    std::uint32_t bucket(ItemIndex item, std::size_t rank) const noexcept { return buckets_[rank][item]; }

    /// The joint order to capture in, as each rank's items stand in it: the largest graph_bytes of any
    /// rank first, ties in this object's order.
    std::vector<CaptureOrder> orders() const;

  private:
    void match(std::size_t rank);
    void match_pool(Pool& pool, std::size_t rank, std::uint32_t index);
    std::map<BucketKey, std::uint32_t> known_in(const Pool& pool, std::size_t rank) const;

    std::span<const Catalog> ranks_;
    std::vector<Pool> pools_;
    std::vector<std::vector<std::uint32_t>> buckets_;  ///< [rank][item]
    std::vector<std::vector<ItemIndex>> items_;        ///< [rank][bucket]
    std::uint32_t size_ = 0;
};

}  // namespace graphplan
