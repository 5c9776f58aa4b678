// Runs the traces of a pool's buckets through the allocator.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "graphplan/memory.hpp"
#include "planner/catalog.hpp"
#include "planner/checked.hpp"
#include "planner/compiled_trace.hpp"

namespace graphplan {

class PoolReplay {
  public:
    explicit PoolReplay(const Catalog& catalog) : catalog_(catalog), traces_(catalog.costs().traces.size()) {}

    /// Checks that a bucket has a trace, and that it can run. @throws Error invalid_document
    void prepare(ItemIndex item);
    /// Of a prepared bucket.
    const CompiledTrace& trace(ItemIndex item) const {
        const Item& of = catalog_[item];
        return *traces_[*of.cost->trace][of.shares_outputs() ? 1 : 0];
    }

    /// What a pool takes in which prepared buckets are captured in this order, all slots of each; nothing
    /// if that is more than `limit`, which ends the run early.
    std::optional<Bytes> run(
        std::span<const ItemIndex> order, Bytes limit = kMaxBytes,
        PretendedSegments::Direction direction = PretendedSegments::Direction::descending);

  private:
    const Catalog& catalog_;
    /// With its outputs, and without: a region's bucket may have the same trace as a walk's.
    std::vector<std::array<std::optional<CompiledTrace>, 2>> traces_;
    std::vector<Allocation> live_;
};

}  // namespace graphplan
