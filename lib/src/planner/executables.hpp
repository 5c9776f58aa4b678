// The executable memory of walks' graphs, from the curves that sizing measured.
#pragma once

#include <vector>

#include "planner/search.hpp"

namespace graphplan {

/// Counts the graphs of taken buckets.
class Executables {
  public:
    Executables(const Catalog& catalog, const Reuse& reuse);

    /// What taking the bucket's graphs would add, reuse taken off.
    Bytes growth(ItemIndex item) const;
    void take(ItemIndex item);
    /// Of a pool's taken buckets, before any reuse.
    Bytes of_pool(std::uint32_t pool) const noexcept { return pools_[pool]; }

  private:
    struct Use {
        std::int64_t graphs = 0;
        std::int64_t nodes = 0;  ///< of all graphs
        Bytes outside = 0;       ///< by the buckets' own figures
        Bytes bytes = 0;         ///< by the walk's curve where it has one
    };

    Use with(const Item& item) const;
    Bytes bytes_of(const WalkItem& walk, const Use& use) const;
    Bytes reused(Bytes held_and_taken) const noexcept;

    const Catalog& catalog_;
    Reuse reuse_;
    std::vector<Use> walks_;
    std::vector<Bytes> pools_;
    Bytes held_and_taken_ = 0;  ///< the sum over walks of what is both
};

}  // namespace graphplan
