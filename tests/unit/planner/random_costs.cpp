#include <algorithm>
#include <random>

#include "reference_planner.hpp"

namespace graphplan::testing {
namespace {

class CostsMaker {
  public:
    CostsMaker(std::uint32_t seed, bool traces) : random_(seed), traces_(traces) {}

    Costs make() {
        const std::vector<std::string> names{"talker", "llm", "Z", "\xc3\xa9", "a"};
        costs_.allocator.expandable_segments = pick(0, 3) == 0;
        const Bytes pools = pick(1, 4);
        for (Bytes pool = 0; pool < pools; ++pool) add_pool(names[static_cast<std::size_t>(pool)]);
        std::shuffle(costs_.pools.begin(), costs_.pools.end(), random_);
        if (pick(0, 4) == 0) costs_.one_off_bytes = pick(0, 40) * kMiB;
        return std::move(costs_);
    }

  private:
    Bytes pick(Bytes from, Bytes to) { return std::uniform_int_distribution<Bytes>(from, to)(random_); }
    Bytes size() {
        switch (pick(0, 3)) {
            case 0: return 0;
            case 1: return pick(1, 6) * kSegment;
            case 2: return pick(0, 3 * kMiB);
            default: return pick(0, 40) * 512 * kKiB;
        }
    }

    void add_pool(const std::string& name) {
        costs_.pools.push_back({name, {}});
        const Bytes buckets = pick(0, traces_ ? 6 : 14);
        for (Bytes i = 0; i < buckets; ++i) {
            BucketCost cost = bucket(pick(0, 1) ? "decode" : "prefill", 100 - i, size(), 0, size());
            if (pick(0, 4) == 0) cost.id.key = "cfg";
            cost.graph_bytes = cost.kept_bytes + size();
            cost.slots = pick(0, 3) == 0 ? pick(2, 3) : 1;
            cost.outside_bytes = pick(0, 1) ? 0 : pick(0, 4) * 512 * kKiB;
            if (pick(0, 1)) cost.nodes = pick(1, 400);
            if (pick(0, 7) == 0) cost.region = cost.id.walk = "vit";
            if (traces_) add_trace(cost);
            if (pick(0, 7) == 0) {
                cost.graph_bytes.reset();
                if (pick(0, 1))
                    cost.failure =
                        Failure{pick(0, 1) ? Failure::Kind::denied : Failure::Kind::capture, "why"};
            }
            costs_.pools.back().buckets.push_back(cost);
        }
        for (const char* walk : {"decode", "prefill", "vit"}) {
            if (pick(0, 2) > 0) add_walk(name, walk);
        }
    }

    void add_walk(const std::string& pool, const std::string& name) {
        WalkCosts walk;
        walk.pool = pool;
        walk.walk = name;
        walk.held_bytes = pick(0, 8) * kMiB;
        walk.bytes_per_node = 2575.5;
        if (pick(0, 1)) {
            walk.nodes = pick(50, 300);
            walk.curve_bytes.assign(1, 0);
            for (Bytes copies = pick(1, 6); copies > 0; --copies) {
                walk.curve_bytes.push_back(walk.curve_bytes.back() + pick(0, 2) * kSegment);
            }
            walk.copies = static_cast<std::int64_t>(walk.curve_bytes.size()) - 1;
        }
        costs_.walks.push_back(walk);
    }

    void add_trace(BucketCost& cost) {
        EventTrace events;
        std::vector<std::int64_t> live;
        const Bytes count = pick(1, 40);
        const bool tags = pick(0, 1) == 0;
        for (std::int64_t id = 0; id < count; ++id) {
            if (!live.empty() && pick(0, 2) == 0) {
                const auto victim = static_cast<std::size_t>(pick(0, static_cast<Bytes>(live.size()) - 1));
                events.push_back({false, EventTag::none, live[victim], 0});
                live.erase(live.begin() + static_cast<std::ptrdiff_t>(victim));
            }
            const bool workspace = pick(0, 15) == 0;
            const Bytes bytes = workspace    ? pick(1, 2) * 4 * kMiB
                                : pick(0, 2) ? pick(0, 700 * kKiB)
                                             : pick(0, 25 * kMiB);
            const bool output = tags && !workspace && pick(0, 5) == 0;
            events.push_back({true,
                              workspace ? EventTag::workspace
                              : output  ? EventTag::output
                                        : EventTag::none,
                              id, bytes});
            if (!workspace) live.push_back(id);
        }
        while (live.size() > static_cast<std::size_t>(pick(0, 2))) {
            events.push_back({false, EventTag::none, live.back(), 0});
            live.pop_back();
        }
        cost.trace = costs_.traces.size();
        costs_.traces.push_back(events);
    }

    std::mt19937 random_;
    bool traces_;
    Costs costs_;
};

}  // namespace

BucketCost bucket(const std::string& walk, std::int64_t size, Bytes peak, std::optional<Bytes> graph,
                  Bytes kept) {
    BucketCost cost;
    cost.id = {walk, std::nullopt, size, size};
    cost.peak_bytes = peak;
    cost.graph_bytes = graph;
    cost.kept_bytes = kept;
    return cost;
}

WalkCosts held_by(const std::string& pool, const std::string& walk, Bytes held) {
    WalkCosts costs;
    costs.pool = pool;
    costs.walk = walk;
    costs.held_bytes = held;
    return costs;
}

Costs costs_of(std::vector<PoolCosts> pools, Bytes free) {
    Costs costs;
    costs.pools = std::move(pools);
    costs.free_bytes_before = free;
    costs.free_bytes = free;
    return costs;
}

Costs random_costs(std::uint32_t seed, bool traces) { return CostsMaker(seed, traces).make(); }

}  // namespace graphplan::testing
