// What the two memory models have in common: a greedy search for the buckets to capture.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/catalog.hpp"

namespace graphplan {

/// A bucket that was taken, and what it cost then: executables included, reuse taken off.
struct Choice {
    ItemIndex item = 0;
    Bytes cost = 0;
};

/// Reuse of the executable memory that sizing holds.
struct Reuse {
    bool same_process = false;
    std::optional<Bytes> bound;  ///< over all walks; absent: no bound
};

/// What a pool will hold.
struct PoolFigures {
    Bytes predicted = 0;
    Bytes outside = 0;  ///< before any reuse
};

/// Buckets already taken, and what another one would cost.
class Search {
  public:
    virtual ~Search() = default;

    /// From here on `item`, which has a graph and was not offered before, may be taken.
    virtual void offer(ItemIndex item) = 0;
    /// Takes the cheapest offered bucket if it costs no more than `room`. Ties: the pool whose name is
    /// first by its UTF-8 bytes, then sizing order.
    virtual std::optional<Choice> take_cheapest(Bytes room) = 0;
    /// Takes a bucket that was not offered, at any cost, which it returns.
    virtual Bytes take(ItemIndex item) = 0;
    /// What a bucket would cost now.
    virtual Bytes cost(ItemIndex item) = 0;
    virtual PoolFigures figures(std::uint32_t pool) = 0;
    /// What a pool would hold if the driver placed each new segment above the ones before it.
    virtual Bytes predicted_ascending(std::uint32_t pool) { return figures(pool).predicted; }
};

}  // namespace graphplan
