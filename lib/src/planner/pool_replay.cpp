#include "planner/pool_replay.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

namespace graphplan {
namespace {

/// Libraries keep a workspace from the first capture on: the n-th of a size that a capture asks for is
/// made only if the pool has fewer than n of that size.
class Workspaces {
  public:
    void begin_capture() {
        for (Count& count : counts_) count.asked = 0;
    }

    bool is_new(Bytes bytes) {
        auto found =
            std::find_if(counts_.begin(), counts_.end(), [&](const Count& c) { return c.bytes == bytes; });
        if (found == counts_.end()) found = counts_.insert(counts_.end(), Count{bytes, 0, 0});
        if (++found->asked <= found->made) return false;
        ++found->made;
        return true;
    }

  private:
    struct Count {
        Bytes bytes = 0;
        std::size_t asked = 0;
        std::size_t made = 0;
    };
    std::vector<Count> counts_;
};

}  // namespace

void PoolReplay::prepare(ItemIndex item) {
    const BucketCost& cost = *catalog_[item].cost;
    if (!cost.trace) {
        throw Error(
            ErrorCode::invalid_document,
            fmt::format("{}: /pools/{}/buckets/{}: no trace, which an exact plan needs for each bucket that "
                        "has a graph ({}): plan with the memory model segments, or size again",
                        catalog_.costs().source.empty() ? "costs" : shortened(catalog_.costs().source, 200),
                        catalog_[item].pool, catalog_[item].index, catalog_.name(item)));
    }
    const Outputs outputs = catalog_[item].shares_outputs() ? Outputs::shared : Outputs::per_graph;
    std::optional<CompiledTrace>& trace = traces_[*cost.trace][outputs == Outputs::shared ? 1 : 0];
    if (!trace) trace = compile_trace(catalog_.costs(), *cost.trace, outputs);
    live_.resize(std::max<std::size_t>(live_.size(), trace->places));
}

std::optional<Bytes> PoolReplay::run(std::span<const ItemIndex> order, Bytes limit,
                                     PretendedSegments::Direction direction) {
    PretendedSegments segments(direction);
    CachingAllocator allocator(segments, catalog_.costs().allocator);
    constexpr CachingAllocator::Pool pool = CachingAllocator::kDefaultPool;
    Workspaces workspaces;
    for (const ItemIndex item : order) {
        const CompiledTrace& compiled = trace(item);
        for (std::int64_t slot = 0; slot < catalog_[item].cost->slots; ++slot) {
            workspaces.begin_capture();
            for (const CompiledEvent& event : compiled.events) {
                if (event.kind == CompiledEvent::Kind::free) {
                    allocator.free(live_[event.place]);
                } else if (event.kind == CompiledEvent::Kind::allocate || workspaces.is_new(event.bytes)) {
                    live_[event.place] = allocator.allocate(event.bytes, pool);
                }
            }
            if (allocator.pool_bytes(pool) > limit) return std::nullopt;
        }
    }
    return allocator.pool_bytes(pool);
}

}  // namespace graphplan
