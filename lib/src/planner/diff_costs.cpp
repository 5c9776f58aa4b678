#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "graphplan/planner.hpp"
#include "planner/change_list.hpp"

namespace graphplan {
namespace {

using Kind = Change::Kind;

std::string failure_of(const BucketCost& cost) {
    return cost.failure ? fmt::format("{}: {}", to_string(cost.failure->kind), cost.failure->reason) : "";
}

std::string sized_by(const BucketCost& cost) {
    return !cost.sized_by ? "" : *cost.sized_by == SizedBy::capture ? "capture" : "lend";
}

const EventTrace* trace_of(const Costs& costs, const BucketCost& cost) {
    return cost.trace && *cost.trace < costs.traces.size() ? &costs.traces[*cost.trace] : nullptr;
}

void compare_traces(ChangeList& changes, const std::string& where, const EventTrace* before,
                    const EventTrace* after) {
    if (!before && !after) return;
    if (before && after && *before == *after) return;
    const auto shown = [](const EventTrace* trace) {
        return trace ? fmt::format("{} events", trace->size()) : "";
    };
    changes.add(
        {Kind::bytes,
         where,
         "trace",
         shown(before),
         before && after && before->size() == after->size() ? shown(after) + ", others" : shown(after),
         {},
         {},
         true});
}

void compare_costs(ChangeList& changes, const std::string& where, const BucketCost& before,
                   const BucketCost& after) {
    const auto bytes = [&](const char* what, std::optional<Bytes> a, std::optional<Bytes> b) {
        changes.compare_bytes(Kind::bytes, where, what, a, b);
    };
    bytes("peak_bytes", before.peak_bytes, after.peak_bytes);
    bytes("graph_bytes", before.graph_bytes, after.graph_bytes);
    bytes("kept_bytes", before.kept_bytes, after.kept_bytes);
    bytes("outside_bytes", before.outside_bytes, after.outside_bytes);
    changes.compare_counts(Kind::bytes, where, "slots", before.slots, after.slots);
    changes.compare_counts(Kind::bytes, where, "nodes", before.nodes, after.nodes);
    changes.compare(Kind::moved, where, "region", before.region.value_or(""), after.region.value_or(""));
    changes.compare(Kind::reason, where, "failure", failure_of(before), failure_of(after));
    changes.compare(Kind::reason, where, "sized_by", sized_by(before), sized_by(after));
    // No two runs time alike, so a time alone never fails a comparison.
    const auto time = [&](const char* what, const std::optional<TimeSummary>& a,
                          const std::optional<TimeSummary>& b) {
        changes.compare_numbers(Kind::time, where, what, a ? std::optional(a->median) : std::nullopt,
                                b ? std::optional(b->median) : std::nullopt, " us", false);
    };
    time("eager_us median", before.eager_us, after.eager_us);
    time("replay_us median", before.replay_us, after.replay_us);
}

std::map<BucketKey, const BucketCost*> buckets_of(const PoolCosts* pool) {
    std::map<BucketKey, const BucketCost*> buckets;
    if (!pool) return buckets;
    for (const BucketCost& cost : pool->buckets) buckets.emplace(cost.id, &cost);
    return buckets;
}

std::vector<std::string> sizing_order(const PoolCosts& pool) {
    std::vector<std::string> names;
    for (const BucketCost& cost : pool.buckets) names.push_back(to_string(cost.id));
    return names;
}

/// Two costs documents.
class CostsComparison {
  public:
    CostsComparison(const Costs& before, const Costs& after) : before_(before), after_(after) {}

    Difference run() {
        compare_heads();
        for (const PoolCosts& pool : before_.pools) compare_pools(&pool, pool_named(after_, pool.name));
        for (const PoolCosts& pool : after_.pools) {
            if (!pool_named(before_, pool.name)) compare_pools(nullptr, &pool);
        }
        compare_walks();
        changes_.compare_provenance(before_.provenance, after_.provenance);
        return changes_.take();
    }

  private:
    static const PoolCosts* pool_named(const Costs& costs, const std::string& name) {
        const auto found = std::find_if(costs.pools.begin(), costs.pools.end(),
                                        [&](const auto& p) { return p.name == name; });
        return found == costs.pools.end() ? nullptr : &*found;
    }

    void compare_heads() {
        const auto bytes = [&](const char* what, std::optional<Bytes> a, std::optional<Bytes> b) {
            changes_.compare_bytes(Kind::budget, "costs", what, a, b);
        };
        bytes("free_bytes", before_.free_bytes, after_.free_bytes);
        bytes("free_bytes_before", before_.free_bytes_before, after_.free_bytes_before);
        bytes("one_off_bytes", before_.one_off_bytes, after_.one_off_bytes);
        changes_.compare_allocators(before_.allocator, after_.allocator);
    }

    void compare_pools(const PoolCosts* before, const PoolCosts* after) {
        const std::string& name = before ? before->name : after->name;
        if (before && after) {
            for (const std::string& moved : moved_names(sizing_order(*before), sizing_order(*after))) {
                changes_.add(
                    {Kind::moved, fmt::format("{}: {}", name, moved), "sizing order", "", "", {}, {}, true});
            }
        } else {
            changes_.add({before ? Kind::removed : Kind::added,
                          name,
                          "pool",
                          before ? name : "",
                          after ? name : "",
                          {},
                          {},
                          true});
        }
        const auto old_buckets = buckets_of(before);
        const auto new_buckets = buckets_of(after);
        for (const auto& [key, cost] : old_buckets) {
            const std::string where = place_of(name, key);
            const auto found = new_buckets.find(key);
            if (found == new_buckets.end()) {
                changes_.add({Kind::removed, where, "bucket", "sized", "", {}, {}, true});
                continue;
            }
            compare_costs(changes_, where, *cost, *found->second);
            compare_traces(changes_, where, trace_of(before_, *cost), trace_of(after_, *found->second));
        }
        for (const auto& [key, cost] : new_buckets) {
            if (old_buckets.contains(key)) continue;
            changes_.add({Kind::added, place_of(name, key), "bucket", "", "sized", {}, {}, true});
        }
    }

    void compare_walks() {
        using Key = std::tuple<std::string, std::string, std::optional<std::string>>;
        std::map<Key, std::pair<const WalkCosts*, const WalkCosts*>> walks;
        for (const WalkCosts& walk : before_.walks) walks[{walk.pool, walk.walk, walk.key}].first = &walk;
        for (const WalkCosts& walk : after_.walks) walks[{walk.pool, walk.walk, walk.key}].second = &walk;
        for (const auto& [key, pair] : walks) {
            const std::string name = std::get<2>(key)
                                         ? fmt::format("{}[{}]", std::get<1>(key), *std::get<2>(key))
                                         : std::get<1>(key);
            compare_walk(fmt::format("{}: executables of {}", std::get<0>(key), name), pair.first,
                         pair.second);
        }
    }

    void compare_walk(const std::string& where, const WalkCosts* before, const WalkCosts* after) {
        if (!before || !after) {
            changes_.add({before ? Kind::removed : Kind::added,
                          where,
                          "walk",
                          before ? "measured" : "",
                          after ? "measured" : "",
                          {},
                          {},
                          true});
            return;
        }
        const auto rate = [](const WalkCosts& walk) {
            return walk.bytes_per_node ? shown_number(*walk.bytes_per_node) : "";
        };
        changes_.compare_counts(Kind::bytes, where, "nodes", before->nodes, after->nodes);
        changes_.compare(Kind::bytes, where, "bytes_per_node", rate(*before), rate(*after));
        changes_.compare_bytes(Kind::bytes, where, "held_bytes", before->held_bytes, after->held_bytes);
        changes_.compare_counts(Kind::bytes, where, "copies", before->copies, after->copies);
        if (before->curve_bytes == after->curve_bytes) return;
        changes_.add({Kind::bytes, where, "curve_bytes", curve(*before), curve(*after), {}, {}, true});
    }

    static std::string curve(const WalkCosts& walk) {
        return walk.curve_bytes.empty() ? ""
                                        : fmt::format("{} copies take {}", walk.curve_bytes.size() - 1,
                                                      shown(walk.curve_bytes.back()));
    }

    const Costs& before_;
    const Costs& after_;
    ChangeList changes_;
};

}  // namespace

Difference diff(const Costs& before, const Costs& after) { return CostsComparison(before, after).run(); }

}  // namespace graphplan
