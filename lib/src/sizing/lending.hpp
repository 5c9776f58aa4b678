// Which buckets of a walk are captured to be sized, and which take their size from another's capture.
//
// A walk runs one forward at every shape. A shape that peaks no higher allocates no more at any step, so
// its graph fits in the scratch that a larger one leaves free: it is lent the lender's scratch and adds
// what it keeps itself. That holds as long as no captured bucket of the walk took more scratch than the
// lender, which kernels with larger workspaces at smaller sizes do, nor has a graph unlike the lender's.
#pragma once

#include <cstdint>
#include <vector>

#include "graphplan/base.hpp"

namespace graphplan {

/// A bucket of the walk whose own capture was measured.
struct CapturedSize {
    Bytes peak_bytes = 0;
    Bytes graph_bytes = 0;  ///< pool, and a region's kept bytes
    Bytes kept_bytes = 0;   ///< at most graph_bytes
    Bytes outside_bytes = 0;
    std::int64_t nodes = 0;

    Bytes scratch_bytes() const noexcept { return graph_bytes - kept_bytes; }
};

/// The captures of one walk, in sizing order. The lender is the one with the largest eager peak, the
/// first of equals.
class WalkLending {
  public:
    /// Whether a bucket that peaks at `peak_bytes` is lent: two were captured, it peaks no higher than
    /// the lender, and no captured one ever took more scratch than its lender, in 2 MiB segments,
    /// or has a number of nodes unlike the lender's.
    bool lends(Bytes peak_bytes) const noexcept;

    /// The captured bucket that lends. At least one was captured.
    const CapturedSize& lender() const noexcept { return captured_[lender_]; }

    /// What a lent bucket's graph holds: the lender's scratch and what it keeps itself.
    Bytes lent_graph_bytes(Bytes kept_bytes) const noexcept { return lender().scratch_bytes() + kept_bytes; }

    /// A capture that passed. One that failed is not added: it lends nothing.
    void add(const CapturedSize& captured);

  private:
    std::vector<CapturedSize> captured_;
    std::size_t lender_ = 0;
    bool outgrown_ = false;  // a captured bucket is not like the lender: from then on none is lent
};

}  // namespace graphplan
