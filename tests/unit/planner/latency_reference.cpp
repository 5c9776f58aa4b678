#include "latency_reference.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

namespace graphplan::testing {
namespace {

class TimedMaker {
  public:
    explicit TimedMaker(std::uint32_t seed) : random_(seed) {}

    TimedCosts make() {
        const auto pools = pick(1, 2);
        for (std::int64_t pool = 0; pool < pools; ++pool) {
            timed_.costs.pools.push_back({pool == 0 ? "llm" : "vision", {}});
            const auto walks = pick(1, 2);
            for (std::int64_t walk = 0; walk < walks; ++walk) add_walk(pool, walk);
        }
        timed_.costs.free_bytes_before = 0;
        if (pick(0, 3) == 0) add_held();
        return std::move(timed_);
    }

  private:
    std::int64_t pick(std::int64_t from, std::int64_t to) {
        return std::uniform_int_distribution<std::int64_t>(from, to)(random_);
    }

    void add_walk(std::int64_t pool, std::int64_t walk) {
        auto& buckets = timed_.costs.pools.back().buckets;
        const bool packed = pick(0, 2) == 0, region = pick(0, 5) == 0, keyed = pick(0, 4) == 0;
        const std::string name = (walk == 0 ? "decode" : "prefill") + std::to_string(pool);
        const std::int64_t count = std::min<std::int64_t>(pick(1, 5), 14 - bucket_count());
        std::vector<BucketKey> ids;
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t bs = packed ? pick(1, 3) * 2 : (i + 1) * 3;
            BucketKey id{name, std::nullopt, bs, packed ? pick(1, 4) * 8 : bs * 2};
            if (keyed) id.key = "cfg";
            if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
        }
        std::shuffle(ids.begin(), ids.end(), random_);
        for (const BucketKey& id : ids) buckets.push_back(timed_bucket(id, region));
        if (!ids.empty() && (pick(0, 6) > 0 || timed_.traffic.steps.empty())) add_steps(ids, packed);
    }

    std::int64_t bucket_count() const {
        std::size_t count = 0;
        for (const PoolCosts& pool : timed_.costs.pools) count += pool.buckets.size();
        return static_cast<std::int64_t>(count);
    }

    BucketCost timed_bucket(const BucketKey& id, bool region) {
        BucketCost cost = bucket(id.walk, 1, pick(0, 3) * kMiB, 0, pick(0, 3) == 0 ? 0 : pick(0, 9) * kMiB);
        cost.id = id;
        cost.graph_bytes = cost.kept_bytes + pick(0, 8) * 700 * kKiB;
        cost.slots = pick(0, 4) == 0 ? 2 : 1;
        cost.outside_bytes = pick(0, 1) * pick(0, 5) * 800 * kKiB;
        if (region) cost.region = id.walk;
        if (pick(0, 7) == 0) cost.graph_bytes.reset();
        const auto tokens = static_cast<double>(id.tokens);
        cost.eager_us = TimeSummary{};
        cost.eager_us->median = 100 + tokens * static_cast<double>(pick(1, 4));
        if (cost.graph_bytes) {
            cost.replay_us = TimeSummary{};
            // A larger bucket's replay may take longer than a small step's eager run.
            cost.replay_us->median =
                tokens * static_cast<double>(pick(1, 9)) + static_cast<double>(pick(0, 30));
        }
        return cost;
    }

    void add_steps(const std::vector<BucketKey>& ids, bool packed) {
        const auto count = pick(1, 12);
        for (std::int64_t i = 0; i < count; ++i) {
            TrafficStep step;
            step.shape = ids[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(ids.size()) - 1))];
            step.shape.bs = pick(1, step.shape.bs);
            step.shape.tokens = packed ? pick(1, step.shape.tokens) : step.shape.bs * 2;
            if (pick(0, 12) == 0) step.shape.tokens += 1000;
            if (pick(0, 1)) step.pool = timed_.costs.pools.back().name;
            step.weight = i == 0 ? 1 : static_cast<double>(pick(0, 8)) * 0.125;
            if (i == 0) step.shape = ids.front();
            timed_.traffic.steps.push_back(step);
        }
    }

    void add_held() {
        for (const PoolCosts& pool : timed_.costs.pools) {
            std::set<std::pair<std::string, std::optional<std::string>>> walks;
            for (const BucketCost& cost : pool.buckets) walks.emplace(cost.id.walk, cost.id.key);
            for (const auto& [walk, key] : walks) {
                WalkCosts held = held_by(pool.name, walk, pick(0, 5) * 1500 * kKiB);
                held.key = key;
                timed_.costs.walks.push_back(held);
            }
        }
    }

    std::mt19937 random_;
    TimedCosts timed_;
};

const BucketCost& at(const Costs& costs, Place place) {
    return costs.pools[place.pool].buckets[place.bucket];
}

/// The buckets that a step may run on, the tightest first.
std::vector<Place> fitting_places(const Costs& costs, const TrafficStep& step) {
    std::vector<Place> fitting;
    for (std::size_t pool = 0; pool < costs.pools.size(); ++pool) {
        if (step.pool && costs.pools[pool].name != *step.pool) continue;
        for (std::size_t i = 0; i < costs.pools[pool].buckets.size(); ++i) {
            const BucketKey& id = costs.pools[pool].buckets[i].id;
            if (id.walk == step.shape.walk && id.key == step.shape.key && id.bs >= step.shape.bs &&
                id.tokens >= step.shape.tokens)
                fitting.push_back({pool, i});
        }
    }
    std::sort(fitting.begin(), fitting.end(), [&](Place a, Place b) {
        const BucketKey &x = at(costs, a).id, &y = at(costs, b).id;
        return at(costs, a).region ? std::tie(x.bs, x.tokens) < std::tie(y.bs, y.tokens)
                                   : std::tie(x.tokens, x.bs) < std::tie(y.tokens, y.bs);
    });
    return fitting;
}

double step_time(const Costs& costs, const std::vector<Place>& fitting, const std::set<Place>& captured) {
    if (fitting.empty()) return 0;
    for (const Place& place : fitting) {
        if (captured.contains(place)) return at(costs, place).replay_us->median;
        if (at(costs, place).region) break;
    }
    return at(costs, fitting.front()).eager_us->median;
}

Bytes units_of(Bytes bytes) { return (bytes + kSegment - 1) / kSegment; }

}  // namespace

TimedCosts random_timed(std::uint32_t seed) { return TimedMaker(seed).make(); }

double reference_time(const TimedCosts& timed, const std::set<Place>& captured) {
    double sum = 0;
    for (const TrafficStep& step : timed.traffic.steps) {
        sum += step.weight * step_time(timed.costs, fitting_places(timed.costs, step), captured);
    }
    return sum;
}

std::int64_t reference_units(const Costs& costs, const PlanOptions& options,
                             const std::set<Place>& captured) {
    std::int64_t units = 0;
    std::map<std::size_t, Bytes> scratch;
    std::map<std::tuple<std::size_t, std::string, std::optional<std::string>>, std::int64_t> outside;
    for (const Place& place : captured) {
        const BucketCost& cost = at(costs, place);
        if (options.outputs == Outputs::per_graph || cost.region)
            units += cost.slots * units_of(cost.kept_bytes);
        scratch[place.pool] = std::max(scratch[place.pool], *cost.graph_bytes - cost.kept_bytes);
        const std::int64_t executables = units_of(cost.slots * cost.outside_bytes);
        units += executables;
        outside[{place.pool, cost.id.walk, cost.id.key}] += executables;
    }
    for (const auto& [pool, bytes] : scratch) units += units_of(bytes);
    if (options.outputs == Outputs::shared) {
        const std::vector<Place> taken(captured.begin(), captured.end());
        for (std::size_t pool = 0; pool < costs.pools.size(); ++pool) {
            for (const OutputBuffer& buffer : reference_buffers(costs, taken, pool))
                units += buffer.bytes / kSegment;
        }
    }
    std::int64_t reused = 0;
    for (const WalkCosts& walk : costs.walks) {
        for (const auto& [name, executables] : outside) {
            if (costs.pools[std::get<0>(name)].name == walk.pool && std::get<1>(name) == walk.walk &&
                std::get<2>(name) == walk.key)
                reused += std::min(executables, walk.held_bytes / kSegment);
        }
    }
    if (options.reusable_bytes) reused = std::min(reused, *options.reusable_bytes / kSegment);
    return options.same_process ? units - reused : units;
}

std::optional<double> least_time(const TimedCosts& timed, const PlanOptions& options, Bytes room,
                                 const std::set<Place>& forced) {
    std::vector<Place> places;
    for (std::size_t pool = 0; pool < timed.costs.pools.size(); ++pool) {
        for (std::size_t i = 0; i < timed.costs.pools[pool].buckets.size(); ++i) {
            if (at(timed.costs, {pool, i}).graph_bytes) places.push_back({pool, i});
        }
    }
    std::vector<std::vector<Place>> fitting;
    for (const TrafficStep& step : timed.traffic.steps) fitting.push_back(fitting_places(timed.costs, step));
    const auto time_of = [&](const std::set<Place>& captured) {
        double sum = 0;
        for (std::size_t i = 0; i < fitting.size(); ++i) {
            sum += timed.traffic.steps[i].weight * step_time(timed.costs, fitting[i], captured);
        }
        return sum;
    };
    std::optional<double> least;
    for (std::uint32_t subset = 0; subset < (1U << places.size()); ++subset) {
        std::set<Place> captured;
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (subset >> i & 1U) captured.insert(places[i]);
        }
        if (!std::includes(captured.begin(), captured.end(), forced.begin(), forced.end())) continue;
        if (reference_units(timed.costs, options, captured) > room / kSegment) continue;
        const double time = time_of(captured);
        if (!least || time < *least) least = time;
    }
    return least;
}

}  // namespace graphplan::testing
