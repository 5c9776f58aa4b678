#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "graphplan/planner.hpp"
#include "planner/change_list.hpp"

namespace graphplan {
namespace {

using Kind = Change::Kind;

/// A plan's bucket, captured or eager.
struct Entry {
    const PlannedCapture* captured = nullptr;
    const EagerBucket* eager = nullptr;

    std::string status() const {
        return captured ? "captured" : fmt::format("eager ({})", to_string(eager->reason));
    }
    const std::optional<std::string>& region() const { return captured ? captured->region : eager->region; }
};

using Entries = std::map<BucketKey, Entry>;

Entries entries_of(const PoolPlan* pool) {
    Entries entries;
    if (!pool) return entries;
    for (const PlannedCapture& capture : pool->captures) entries[capture.id].captured = &capture;
    for (const EagerBucket& eager : pool->eager) {
        if (!entries[eager.id].captured) entries[eager.id].eager = &eager;
    }
    return entries;
}

void compare_budgets(ChangeList& changes, const std::string& where, const Budget& before,
                     const Budget& after) {
    const auto bytes = [&](const char* what, Bytes a, Bytes b) {
        changes.compare_bytes(Kind::budget, where, what, a, b);
    };
    const auto fraction = [](const Budget& budget) {
        return budget.fraction ? shown_number(*budget.fraction) : "";
    };
    bytes("free_bytes", before.free_bytes, after.free_bytes);
    changes.compare(Kind::budget, where, "source", before.source, after.source);
    changes.compare(Kind::budget, where, "fraction", fraction(before), fraction(after));
    bytes("floor_bytes", before.floor_bytes, after.floor_bytes);
    bytes("one_off_bytes", before.one_off_bytes, after.one_off_bytes);
    bytes("room_bytes", before.room_bytes, after.room_bytes);
    bytes("room_left_bytes", before.room_left_bytes, after.room_left_bytes);
}

void compare_expected(ChangeList& changes, const Plan& before, const Plan& after) {
    const auto number = [&](const char* what, double Expected::*field) {
        const auto value = [&](const std::optional<Expected>& of) {
            return of ? std::optional((*of).*field) : std::nullopt;
        };
        changes.compare_numbers(Kind::time, "expected", what, value(before.expected), value(after.expected),
                                "", false);
    };
    number("step_us", &Expected::step_us);
    number("hit_rate", &Expected::hit_rate);
    number("padding_waste", &Expected::padding_waste);
    number("beyond_ladder_weight", &Expected::beyond_ladder_weight);
}

void compare_captured(ChangeList& changes, const std::string& where, const PlannedCapture& before,
                      const PlannedCapture& after) {
    changes.compare_counts(Kind::bytes, where, "slots", before.slots, after.slots);
    changes.compare_bytes(Kind::bytes, where, "added_bytes", before.added_bytes, after.added_bytes);
}

void compare_eager(ChangeList& changes, const std::string& where, const EagerBucket& before,
                   const EagerBucket& after) {
    changes.compare(Kind::reason, where, "reason", std::string(to_string(before.reason)),
                    std::string(to_string(after.reason)));
    changes.compare_counts(Kind::reason, where, "rank", before.rank, after.rank);
    changes.compare(Kind::reason, where, "detail", before.detail.value_or(""), after.detail.value_or(""));
    changes.compare_bytes(Kind::bytes, where, "needs_bytes", before.needs_bytes, after.needs_bytes);
    changes.compare_bytes(Kind::bytes, where, "short_bytes", before.short_bytes, after.short_bytes);
}

void compare_entries(ChangeList& changes, const std::string& where, const Entry& before, const Entry& after) {
    changes.compare(Kind::moved, where, "region", before.region().value_or(""), after.region().value_or(""));
    if (before.captured && after.captured) {
        compare_captured(changes, where, *before.captured, *after.captured);
    } else if (before.eager && after.eager) {
        compare_eager(changes, where, *before.eager, *after.eager);
    } else {
        const Kind kind = before.captured ? Kind::dropped : Kind::moved;
        changes.compare(kind, where, "status", before.status(), after.status());
    }
}

void compare_buckets(ChangeList& changes, const std::string& pool, const Entries& before,
                     const Entries& after) {
    std::set<BucketKey> keys;
    for (const Entries* entries : {&before, &after}) {
        for (const auto& [key, entry] : *entries) keys.insert(key);
    }
    for (const BucketKey& key : keys) {
        const auto old_entry = before.find(key);
        const auto new_entry = after.find(key);
        const std::string where = place_of(pool, key);
        if (old_entry == before.end()) {
            changes.add({Kind::added, where, "bucket", "", new_entry->second.status(), {}, {}, true});
        } else if (new_entry == after.end()) {
            const bool captured = old_entry->second.captured != nullptr;
            changes.add({captured ? Kind::dropped : Kind::removed,
                         where,
                         "bucket",
                         old_entry->second.status(),
                         "",
                         {},
                         {},
                         true});
        } else {
            compare_entries(changes, where, old_entry->second, new_entry->second);
        }
    }
}

std::vector<std::string> capture_order(const PoolPlan& pool) {
    std::vector<std::string> names;
    for (const PlannedCapture& capture : pool.captures) names.push_back(to_string(capture.id));
    return names;
}

using Places = std::unordered_map<std::string, std::size_t>;

Places places_of(const std::vector<std::string>& names) {
    Places places;
    for (std::size_t place = 0; place < names.size(); ++place) places.emplace(names[place], place);
    return places;
}

void compare_order(ChangeList& changes, const PoolPlan& before, const PoolPlan& after) {
    const auto names_before = capture_order(before);
    const auto names_after = capture_order(after);
    const auto place = [](const std::vector<std::string>& names, const Places& places,
                          const std::string& name) {
        return fmt::format("{} of {}", places.at(name) + 1, names.size());
    };
    const Places places_before = places_of(names_before);
    const Places places_after = places_of(names_after);
    for (const std::string& name : moved_names(names_before, names_after)) {
        changes.add({Kind::moved,
                     fmt::format("{}: {}", after.name, name),
                     "capture order",
                     place(names_before, places_before, name),
                     place(names_after, places_after, name),
                     {},
                     {},
                     true});
    }
}

using WalkName = std::pair<std::string, std::optional<std::string>>;
using Buffers = std::map<WalkName, const OutputBuffer*>;

Buffers buffers_of(const PoolPlan& pool) {
    Buffers buffers;
    for (const OutputBuffer& buffer : pool.output_buffers)
        buffers.emplace(WalkName(buffer.walk, buffer.key), &buffer);
    return buffers;
}

void compare_buffers(ChangeList& changes, const PoolPlan& before, const PoolPlan& after) {
    const Buffers old_ones = buffers_of(before), new_ones = buffers_of(after);
    std::set<WalkName> walks;
    for (const Buffers* buffers : {&old_ones, &new_ones}) {
        for (const auto& [walk, buffer] : *buffers) walks.insert(walk);
    }
    for (const WalkName& walk : walks) {
        const auto before_it = old_ones.find(walk), after_it = new_ones.find(walk);
        const OutputBuffer* old_one = before_it == old_ones.end() ? nullptr : before_it->second;
        const OutputBuffer* new_one = after_it == new_ones.end() ? nullptr : after_it->second;
        const std::string where = fmt::format("{}: {}{} outputs", after.name, walk.first,
                                              walk.second ? fmt::format("[{}]", *walk.second) : "");
        const auto bytes = [](const OutputBuffer* of) {
            return of ? std::optional(of->bytes) : std::nullopt;
        };
        changes.compare_bytes(Kind::bytes, where, "bytes", bytes(old_one), bytes(new_one));
        if (!old_one || !new_one) continue;
        changes.compare_counts(Kind::bytes, where, "slots", old_one->slots, new_one->slots);
        changes.compare_bytes(Kind::bytes, where, "slot_bytes", old_one->slot_bytes, new_one->slot_bytes);
    }
}

void compare_pools(ChangeList& changes, const PoolPlan* before, const PoolPlan* after) {
    const std::string& name = before ? before->name : after->name;
    if (!before || !after) {
        changes.add({before ? Kind::removed : Kind::added,
                     name,
                     "pool",
                     before ? name : "",
                     after ? name : "",
                     {},
                     {},
                     true});
    } else {
        changes.compare_bytes(Kind::bytes, name, "predicted_bytes", before->predicted_bytes,
                              after->predicted_bytes);
        changes.compare_bytes(Kind::bytes, name, "predicted_bytes_ascending",
                              before->predicted_bytes_ascending, after->predicted_bytes_ascending);
        changes.compare_bytes(Kind::bytes, name, "outside_bytes", before->outside_bytes,
                              after->outside_bytes);
        compare_buffers(changes, *before, *after);
        compare_order(changes, *before, *after);
    }
    compare_buckets(changes, name, entries_of(before), entries_of(after));
}

const PoolPlan* pool_named(const Plan& plan, const std::string& name) {
    const auto found =
        std::find_if(plan.pools.begin(), plan.pools.end(), [&](const auto& p) { return p.name == name; });
    return found == plan.pools.end() ? nullptr : &*found;
}

void compare_ranks(ChangeList& changes, const Plan& before, const Plan& after) {
    changes.compare_counts(Kind::budget, "plan", "ranks", static_cast<std::int64_t>(before.ranks.size()),
                           static_cast<std::int64_t>(after.ranks.size()));
    for (std::size_t rank = 0; rank < std::min(before.ranks.size(), after.ranks.size()); ++rank) {
        const std::string where = fmt::format("rank {}", rank);
        compare_budgets(changes, where + " budget", before.ranks[rank].budget, after.ranks[rank].budget);
        changes.compare(Kind::origin, where, "costs_sha256", before.ranks[rank].costs_sha256,
                        after.ranks[rank].costs_sha256, false);
    }
}

}  // namespace

Difference diff(const Plan& before, const Plan& after) {
    ChangeList changes;
    changes.compare(Kind::budget, "plan", "memory_model", std::string(to_string(before.memory_model)),
                    std::string(to_string(after.memory_model)));
    changes.compare(Kind::budget, "plan", "outputs", std::string(to_string(before.outputs)),
                    std::string(to_string(after.outputs)));
    changes.compare(Kind::budget, "plan", "objective", before.objective, after.objective);
    compare_budgets(changes, "budget", before.budget, after.budget);
    compare_ranks(changes, before, after);
    compare_expected(changes, before, after);
    for (const PoolPlan& pool : before.pools) compare_pools(changes, &pool, pool_named(after, pool.name));
    for (const PoolPlan& pool : after.pools) {
        if (!pool_named(before, pool.name)) compare_pools(changes, nullptr, &pool);
    }
    if (before.allocator && after.allocator) changes.compare_allocators(*before.allocator, *after.allocator);
    changes.compare_provenance(before.provenance, after.provenance);
    return changes.take();
}

}  // namespace graphplan
