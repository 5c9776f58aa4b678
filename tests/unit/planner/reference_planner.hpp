// The planning rules written down once more, as plainly as they can be: every step looks at every bucket
// and works everything out from the start. It shares no code with the library's planner.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "graphplan/memory.hpp"
#include "graphplan/planner.hpp"

namespace graphplan::testing {

/// A bucket by its pool's and its own place in the costs.
struct Place {
    std::size_t pool = 0;
    std::size_t bucket = 0;
    auto operator<=>(const Place&) const = default;
};

struct ReferenceChoice {
    Place place;
    Bytes cost = 0;
    bool operator==(const ReferenceChoice&) const = default;
};

struct ReferencePlan {
    std::vector<ReferenceChoice> chosen;
    std::vector<Bytes> predicted;  ///< of each pool
    std::vector<Bytes> outside;
    std::vector<std::vector<OutputBuffer>> buffers;
    Bytes room_left = 0;
    bool from_segments = false;  ///< exact: the set that segments would choose was larger, and fits
};

/// What a set of taken buckets takes in all, executables in and reuse taken off.
using Total = std::function<Bytes(const std::vector<Place>&)>;

/// Takes the cheapest bucket again and again; `forced` first, whatever they cost. `taken` come before all.
ReferencePlan greedy(const Costs& costs, Bytes room,
                     const std::function<Bytes(const std::vector<Place>&, Place)>& cost,
                     std::vector<ReferenceChoice> taken = {});

ReferencePlan reference_segments(const Costs& costs, const PlanOptions& options, Bytes room);
ReferencePlan reference_exact(const Costs& costs, const PlanOptions& options, Bytes room);

/// In the order to capture in, of one pool.
std::vector<Place> capture_order(const Costs& costs, const std::vector<Place>& taken, std::size_t pool);
/// What the allocator takes for a pool's taken buckets, what regions keep, and shared outputs.
Bytes exact_pool_bytes(const Costs& costs, const std::vector<Place>& taken, std::size_t pool,
                       PretendedSegments::Direction direction = PretendedSegments::Direction::descending,
                       Outputs outputs = Outputs::per_graph);

/// The places of a trace's events that allocate outputs.
std::set<std::size_t> reference_outputs(const EventTrace& trace);
/// The buffers of a pool's taken buckets, where outputs are shared, in sizing order.
std::vector<OutputBuffer> reference_buffers(const Costs& costs, const std::vector<Place>& taken,
                                            std::size_t pool);

/// A bucket with no more than the required fields.
BucketCost bucket(const std::string& walk, std::int64_t size, Bytes peak, std::optional<Bytes> graph,
                  Bytes kept);
/// A walk of which copies hold some memory, with no curve.
WalkCosts held_by(const std::string& pool, const std::string& walk, Bytes held);
Costs costs_of(std::vector<PoolCosts> pools, Bytes free);

/// Costs with ties, zero sizes, null graphs, slots, keys, regions and held memory; with traces too, if asked,
/// some of which tag outputs.
Costs random_costs(std::uint32_t seed, bool traces);

}  // namespace graphplan::testing
