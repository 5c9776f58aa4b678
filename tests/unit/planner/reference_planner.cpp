#include "reference_planner.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace graphplan::testing {
namespace {

constexpr Bytes kNoBound = Bytes{1} << 60;

using WalkName = std::tuple<std::string, std::string, std::optional<std::string>>;

const BucketCost& at(const Costs& costs, Place place) {
    return costs.pools[place.pool].buckets[place.bucket];
}

WalkName walk_of(const Costs& costs, Place place) {
    return {costs.pools[place.pool].name, at(costs, place).id.walk, at(costs, place).id.key};
}

const WalkCosts* find_walk(const Costs& costs, const WalkName& name) {
    for (const WalkCosts& walk : costs.walks) {
        if (WalkName{walk.pool, walk.walk, walk.key} == name) return &walk;
    }
    return nullptr;
}

Bytes whole_segments(Bytes bytes) { return (bytes + kSegment - 1) / kSegment * kSegment; }

Bytes buffer_sum(const Costs& costs, const std::vector<Place>& taken, std::size_t pool) {
    Bytes sum = 0;
    for (const OutputBuffer& buffer : reference_buffers(costs, taken, pool)) sum += buffer.bytes;
    return sum;
}

/// The segments model, from what was taken before in order.
struct Segments {
    const Costs& costs;
    const PlanOptions& options;
    std::vector<Place> taken;
    std::map<std::size_t, Bytes> scratch;
    std::map<WalkName, Bytes> used;
    Bytes used_in_all = 0;

    Bytes reuse(Place place) const {
        if (!options.same_process) return 0;
        const WalkCosts* walk = find_walk(costs, walk_of(costs, place));
        if (!walk) return 0;
        const auto before = used.find(walk_of(costs, place));
        const Bytes unused = walk->held_bytes - (before == used.end() ? 0 : before->second);
        const Bytes left = options.reusable_bytes.value_or(kNoBound) - used_in_all;
        return std::min({unused, left, at(costs, place).slots * at(costs, place).outside_bytes});
    }
    Bytes kept(Place place) const {
        const BucketCost& bucket = at(costs, place);
        if (options.outputs == Outputs::per_graph || bucket.region)
            return bucket.slots * whole_segments(bucket.kept_bytes);
        std::vector<Place> with = taken;
        with.push_back(place);
        return buffer_sum(costs, with, place.pool) - buffer_sum(costs, taken, place.pool);
    }
    Bytes cost(Place place) const {
        const BucketCost& bucket = at(costs, place);
        const auto most = scratch.find(place.pool);
        const Bytes needs =
            *bucket.graph_bytes - bucket.kept_bytes - (most == scratch.end() ? 0 : most->second);
        return kept(place) + std::max<Bytes>(needs, 0) + bucket.slots * bucket.outside_bytes - reuse(place);
    }
    void take(Place place) {
        const Bytes reused = reuse(place);
        used[walk_of(costs, place)] += reused;
        used_in_all += reused;
        taken.push_back(place);
        const BucketCost& bucket = at(costs, place);
        scratch[place.pool] = std::max(scratch[place.pool], *bucket.graph_bytes - bucket.kept_bytes);
    }
};

struct Exact {
    const Costs& costs;
    const PlanOptions& options;

    Bytes executables(const std::vector<Place>& taken, const WalkName& name) const {
        const WalkCosts* walk = find_walk(costs, name);
        std::int64_t nodes = 0;
        std::int64_t graphs = 0;
        Bytes outside = 0;
        for (const Place& place : taken) {
            if (walk_of(costs, place) != name) continue;
            const BucketCost& bucket = at(costs, place);
            graphs += bucket.slots;
            outside += bucket.slots * bucket.outside_bytes;
            nodes += bucket.slots * bucket.nodes.value_or(walk && walk->nodes ? *walk->nodes : 0);
        }
        if (!walk || walk->curve_bytes.empty()) return outside;
        const std::int64_t copies = walk->nodes ? (nodes + *walk->nodes - 1) / *walk->nodes : graphs;
        const auto measured = static_cast<std::int64_t>(walk->curve_bytes.size()) - 1;
        if (copies <= measured) return walk->curve_bytes[static_cast<std::size_t>(copies)];
        const double further = static_cast<double>(nodes - measured * *walk->nodes);
        const auto bytes = static_cast<Bytes>(std::ceil(further * *walk->bytes_per_node));
        return walk->curve_bytes.back() + (bytes + kSegment - 1) / kSegment * kSegment;
    }

    Bytes pool_bytes(const std::vector<Place>& taken, std::size_t pool) const {
        return exact_pool_bytes(costs, taken, pool, PretendedSegments::Direction::descending,
                                options.outputs);
    }

    Bytes total(const std::vector<Place>& taken) const {
        Bytes total = 0;
        for (std::size_t pool = 0; pool < costs.pools.size(); ++pool) total += pool_bytes(taken, pool);
        std::map<WalkName, Bytes> walks;
        for (const Place& place : taken)
            walks[walk_of(costs, place)] = executables(taken, walk_of(costs, place));
        Bytes reuse = 0;
        for (const auto& [name, bytes] : walks) {
            total += bytes;
            const WalkCosts* walk = find_walk(costs, name);
            if (walk && options.same_process) reuse += std::min(walk->held_bytes, bytes);
        }
        return total - std::min(reuse, options.reusable_bytes.value_or(kNoBound));
    }
};

std::vector<Place> places_of(const std::vector<ReferenceChoice>& chosen) {
    std::vector<Place> places;
    for (const ReferenceChoice& choice : chosen) places.push_back(choice.place);
    return places;
}

void set_exact_figures(const Costs& costs, const Exact& exact, ReferencePlan& plan) {
    const std::vector<Place> taken = places_of(plan.chosen);
    plan.predicted.clear();
    plan.outside.clear();
    for (std::size_t pool = 0; pool < costs.pools.size(); ++pool) {
        plan.predicted.push_back(exact.pool_bytes(taken, pool));
        std::map<WalkName, Bytes> walks;
        for (const Place& place : taken) {
            if (place.pool == pool)
                walks[walk_of(costs, place)] = exact.executables(taken, walk_of(costs, place));
        }
        Bytes outside = 0;
        for (const auto& [name, bytes] : walks) outside += bytes;
        plan.outside.push_back(outside);
    }
}

void set_buffers(const Costs& costs, const PlanOptions& options, ReferencePlan& plan) {
    for (std::size_t pool = 0; pool < costs.pools.size(); ++pool) {
        plan.buffers.emplace_back();
        if (options.outputs == Outputs::shared)
            plan.buffers.back() = reference_buffers(costs, places_of(plan.chosen), pool);
    }
}

}  // namespace

ReferencePlan greedy(const Costs& costs, Bytes room,
                     const std::function<Bytes(const std::vector<Place>&, Place)>& cost,
                     std::vector<ReferenceChoice> taken) {
    ReferencePlan plan;
    plan.chosen = std::move(taken);
    plan.room_left = room;
    for (const ReferenceChoice& choice : plan.chosen) plan.room_left -= choice.cost;
    std::vector<Place> left;
    const std::vector<Place> before = places_of(plan.chosen);
    for (std::size_t pool = 0; pool < costs.pools.size(); ++pool) {
        for (std::size_t i = 0; i < costs.pools[pool].buckets.size(); ++i) {
            const bool known = std::find(before.begin(), before.end(), Place{pool, i}) != before.end();
            if (costs.pools[pool].buckets[i].graph_bytes && !known) left.push_back({pool, i});
        }
    }
    while (!left.empty()) {
        const std::vector<Place> so_far = places_of(plan.chosen);
        using Rank = std::tuple<Bytes, std::string, std::size_t>;
        std::optional<Rank> best_rank;
        std::size_t best = 0;
        for (std::size_t i = 0; i < left.size(); ++i) {
            const Rank rank{cost(so_far, left[i]), costs.pools[left[i].pool].name, left[i].bucket};
            if (best_rank && *best_rank <= rank) continue;
            best_rank = rank;
            best = i;
        }
        if (std::get<0>(*best_rank) > plan.room_left) break;
        plan.room_left -= std::get<0>(*best_rank);
        plan.chosen.push_back({left[best], std::get<0>(*best_rank)});
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return plan;
}

ReferencePlan reference_segments(const Costs& costs, const PlanOptions& options, Bytes room) {
    const auto model_after = [&](const std::vector<Place>& taken) {
        Segments model{costs, options, {}, {}, {}, 0};
        for (const Place& place : taken) model.take(place);
        return model;
    };
    ReferencePlan plan = greedy(costs, room, [&](const std::vector<Place>& taken, Place place) {
        return model_after(taken).cost(place);
    });
    plan.predicted.assign(costs.pools.size(), 0);
    plan.outside.assign(costs.pools.size(), 0);
    const Segments model = model_after(places_of(plan.chosen));
    for (const auto& [pool, scratch] : model.scratch) plan.predicted[pool] += scratch;
    for (const ReferenceChoice& choice : plan.chosen) {
        const BucketCost& bucket = at(costs, choice.place);
        if (options.outputs == Outputs::per_graph || bucket.region)
            plan.predicted[choice.place.pool] += bucket.slots * whole_segments(bucket.kept_bytes);
        plan.outside[choice.place.pool] += bucket.slots * bucket.outside_bytes;
    }
    set_buffers(costs, options, plan);
    for (std::size_t pool = 0; pool < costs.pools.size(); ++pool) {
        for (const OutputBuffer& buffer : plan.buffers[pool]) plan.predicted[pool] += buffer.bytes;
    }
    return plan;
}

ReferencePlan reference_exact(const Costs& costs, const PlanOptions& options, Bytes room) {
    const Exact exact{costs, options};
    const auto growth = [&](const std::vector<Place>& taken, Place place) {
        std::vector<Place> with = taken;
        with.push_back(place);
        return exact.total(with) - exact.total(taken);
    };
    ReferencePlan plan = greedy(costs, room, growth);
    const ReferencePlan segments = reference_segments(costs, options, room);
    if (segments.chosen.size() > plan.chosen.size() && exact.total(places_of(segments.chosen)) <= room) {
        std::vector<ReferenceChoice> taken;
        for (const ReferenceChoice& choice : segments.chosen) {
            taken.push_back({choice.place, growth(places_of(taken), choice.place)});
        }
        plan = greedy(costs, room, growth, taken);
        plan.from_segments = true;
    }
    set_exact_figures(costs, exact, plan);
    plan.buffers.clear();
    set_buffers(costs, options, plan);
    return plan;
}

std::vector<Place> capture_order(const Costs& costs, const std::vector<Place>& taken, std::size_t pool) {
    std::vector<Place> order;
    for (std::size_t i = 0; i < costs.pools[pool].buckets.size(); ++i) {
        if (std::find(taken.begin(), taken.end(), Place{pool, i}) != taken.end()) order.push_back({pool, i});
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](Place a, Place b) { return *at(costs, a).graph_bytes > *at(costs, b).graph_bytes; });
    return order;
}

Bytes exact_pool_bytes(const Costs& costs, const std::vector<Place>& taken, std::size_t pool,
                       PretendedSegments::Direction direction, Outputs outputs) {
    PretendedSegments segments(direction);
    CachingAllocator allocator(segments, costs.allocator);
    std::map<Bytes, std::int64_t> workspaces;
    Bytes regions = 0;
    for (const Place& place : capture_order(costs, taken, pool)) {
        const BucketCost& bucket = at(costs, place);
        if (bucket.region) regions += bucket.slots * bucket.kept_bytes;
        std::set<std::size_t> elsewhere;
        if (outputs == Outputs::shared && !bucket.region)
            elsewhere = reference_outputs(costs.traces[*bucket.trace]);
        for (std::int64_t slot = 0; slot < bucket.slots; ++slot) {
            std::map<std::int64_t, Allocation> live;
            std::map<Bytes, std::int64_t> asked;
            const EventTrace& trace = costs.traces[*bucket.trace];
            for (std::size_t i = 0; i < trace.size(); ++i) {
                const TraceEvent& event = trace[i];
                if (elsewhere.contains(i)) continue;
                if (!event.allocates) {
                    if (live.contains(event.id)) allocator.free(live[event.id]);
                    live.erase(event.id);
                } else if (event.tag == EventTag::workspace) {
                    if (++asked[event.bytes] <= workspaces[event.bytes]) continue;
                    ++workspaces[event.bytes];
                    allocator.allocate(event.bytes);
                } else {
                    live[event.id] = allocator.allocate(event.bytes);
                }
            }
        }
    }
    const Bytes buffers = outputs == Outputs::shared ? buffer_sum(costs, taken, pool) : 0;
    return allocator.pool_bytes(CachingAllocator::kDefaultPool) + regions + buffers;
}

}  // namespace graphplan::testing
