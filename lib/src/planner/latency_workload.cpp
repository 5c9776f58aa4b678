#include "planner/latency_workload.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/text.hpp"

namespace graphplan {
namespace {

std::string name_or(const std::string& source, const char* otherwise) {
    return source.empty() ? otherwise : shortened(source, 200);
}

}  // namespace

/// Puts the traffic's steps on the catalog's buckets.
class Workload::Reader {
  public:
    Reader(Workload& workload, const Traffic& traffic)
        : workload_(workload), catalog_(*workload.catalog_), traffic_(traffic) {
        for (std::uint32_t pool = 0; pool < catalog_.pool_count(); ++pool) {
            pools_.emplace(catalog_.costs().pools[pool].name, pool);
            for (ItemIndex item = catalog_.first(pool); item < catalog_.first(pool + 1); ++item) {
                items_[{pool, catalog_[item].cost->id.walk, catalog_[item].cost->id.key}].push_back(item);
                places_[catalog_[item].cost->id.walk].insert(pool);
            }
        }
    }

    void read() {
        workload_.walk_of_.resize(catalog_.walks().size());
        for (std::size_t step = 0; step < traffic_.steps.size(); ++step) add(step);
        if (workload_.weight_ > 0) return;
        throw Error(
            ErrorCode::invalid_document,
            fmt::format("{}: no step fits any bucket of {}, so there is nothing to plan for: give the "
                        "traffic of this model, or size larger buckets",
                        name_or(traffic_.source, "traffic"), name_or(catalog_.costs().source, "the costs")));
    }

  private:
    using WalkName = std::tuple<std::uint32_t, std::string, std::optional<std::string>>;

    [[noreturn]] void fail(std::size_t step, const std::string& problem) const {
        throw Error(ErrorCode::invalid_document,
                    fmt::format("{}: /steps/{}: {}", name_or(traffic_.source, "traffic"), step, problem));
    }

    std::uint32_t pool_of(std::size_t index) const {
        const TrafficStep& step = traffic_.steps[index];
        const auto pools = places_.find(step.shape.walk);
        if (step.pool) return named_pool(index, pools == places_.end() ? nullptr : &pools->second);
        if (pools == places_.end()) {
            fail(index, fmt::format("no pool of {} has a walk {}: name one of its walks",
                                    name_or(catalog_.costs().source, "the costs"), quoted(step.shape.walk)));
        }
        if (pools->second.size() == 1) return *pools->second.begin();
        fail(index, fmt::format("{} pools have a walk {}: say which one with \"pool\"", pools->second.size(),
                                quoted(step.shape.walk)));
    }

    std::uint32_t named_pool(std::size_t index, const std::set<std::uint32_t>* having) const {
        const TrafficStep& step = traffic_.steps[index];
        const auto pool = pools_.find(*step.pool);
        if (pool != pools_.end() && having && having->contains(pool->second)) return pool->second;
        std::vector<std::string> names;
        for (const auto& [name, place] : pools_) names.push_back(name);
        if (pool == pools_.end())
            fail(index, fmt::format("the costs have no pool {}.{}", quoted(*step.pool),
                                    suggestion(*step.pool, names)));
        fail(index, fmt::format("pool {} has no walk {}", quoted(*step.pool), quoted(step.shape.walk)));
    }

    void add(std::size_t index) {
        const TrafficStep& step = traffic_.steps[index];
        const std::uint32_t pool = pool_of(index);
        if (step.weight == 0) return;
        const auto items = items_.find({pool, step.shape.walk, step.shape.key});
        WorkloadStep placed{step.shape.bs, step.shape.tokens, step.weight, 0};
        if (items == items_.end()) {
            workload_.beyond_ += step.weight;
            return;
        }
        WorkloadWalk& walk = walk_with(items->second);
        const auto tightest = std::find_if(walk.items.begin(), walk.items.end(),
                                           [&](ItemIndex item) { return workload_.fits(placed, item); });
        if (tightest == walk.items.end()) {
            workload_.beyond_ += step.weight;
            return;
        }
        placed.tightest = *tightest;
        workload_.weight_ += step.weight;
        add_to(walk, placed);
    }

    /// Equal shapes become one step.
    void add_to(WorkloadWalk& walk, const WorkloadStep& step) {
        const auto known = shapes_.try_emplace({walk.walk, step.bs, step.tokens}, walk.steps.size());
        if (known.second) {
            walk.steps.push_back(step);
        } else {
            walk.steps[known.first->second].weight += step.weight;
        }
    }

    WorkloadWalk& walk_with(const std::vector<ItemIndex>& items) {
        auto& place = workload_.walk_of_[catalog_[items.front()].walk];
        if (place) return workload_.walks_[*place];
        place = static_cast<std::uint32_t>(workload_.walks_.size());
        WorkloadWalk walk;
        walk.pool = catalog_[items.front()].pool;
        walk.walk = catalog_[items.front()].walk;
        walk.is_region = catalog_[items.front()].cost->region.has_value();
        walk.items = items;
        std::sort(walk.items.begin(), walk.items.end(), [&](ItemIndex a, ItemIndex b) {
            const BucketKey &left = catalog_[a].cost->id, &right = catalog_[b].cost->id;
            if (walk.is_region) return std::tie(left.bs, left.tokens) < std::tie(right.bs, right.tokens);
            return std::tie(left.tokens, left.bs) < std::tie(right.tokens, right.bs);
        });
        for (const ItemIndex item : walk.items) check_times(item);
        workload_.walks_.push_back(std::move(walk));
        return workload_.walks_.back();
    }

    void check_times(ItemIndex item) const {
        const BucketCost& cost = *catalog_[item].cost;
        const char* missing = !cost.eager_us                        ? "eager_us"
                              : cost.graph_bytes && !cost.replay_us ? "replay_us"
                                                                    : nullptr;
        if (!missing) return;
        throw Error(
            ErrorCode::invalid_document,
            fmt::format("{}: /pools/{}/buckets/{}: {} has no {}, which the traffic needs: measure the times "
                        "with graphplan size --time, or write them into the costs",
                        name_or(catalog_.costs().source, "costs"), catalog_[item].pool, catalog_[item].index,
                        shortened(to_string(cost.id), 200), missing));
    }

    Workload& workload_;
    const Catalog& catalog_;
    const Traffic& traffic_;
    std::map<std::string, std::uint32_t> pools_;
    std::map<WalkName, std::vector<ItemIndex>> items_;
    std::map<std::string, std::set<std::uint32_t>> places_;  ///< the pools that have a walk
    std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>, std::size_t> shapes_;
};

Workload::Workload(const Catalog& catalog, const Traffic& traffic) : catalog_(&catalog) {
    Reader(*this, traffic).read();
}

bool Workload::fits(const WorkloadStep& step, ItemIndex item) const {
    const BucketKey& id = (*catalog_)[item].cost->id;
    return step.bs <= id.bs && step.tokens <= id.tokens;
}

std::optional<ItemIndex> Workload::replayed(const WorkloadWalk& walk, const WorkloadStep& step,
                                            const std::vector<bool>& captured) const {
    if (walk.is_region) return captured[step.tightest] ? std::optional(step.tightest) : std::nullopt;
    const auto found = std::find_if(walk.items.begin(), walk.items.end(),
                                    [&](ItemIndex item) { return captured[item] && fits(step, item); });
    return found == walk.items.end() ? std::nullopt : std::optional(*found);
}

double Workload::time(const WorkloadWalk& walk, const std::vector<bool>& captured) const {
    double time = 0;
    for (const WorkloadStep& step : walk.steps) {
        const auto item = replayed(walk, step, captured);
        time += step.weight * (item ? replay_us(*item) : eager_us(step.tightest));
    }
    return time;
}

double Workload::time(const std::vector<bool>& captured) const {
    double sum = 0;
    for (const WorkloadWalk& walk : walks_) sum += time(walk, captured);
    return sum;
}

double Workload::change(ItemIndex item, std::vector<bool>& captured) const {
    const auto walk = walk_of_[(*catalog_)[item].walk];
    if (!walk) return 0;
    const double before = time(walks_[*walk], captured);
    captured[item] = !captured[item];
    const double after = time(walks_[*walk], captured);
    captured[item] = !captured[item];
    return after - before;
}

Expected Workload::expected(const std::vector<bool>& captured) const {
    Expected expected;
    double hits = 0, padded = 0, replayed_tokens = 0;
    for (const WorkloadWalk& walk : walks_) {
        for (const WorkloadStep& step : walk.steps) {
            const auto item = replayed(walk, step, captured);
            if (!item) continue;
            const double tokens = static_cast<double>((*catalog_)[*item].cost->id.tokens);
            hits += step.weight;
            replayed_tokens += step.weight * tokens;
            padded += step.weight * (tokens - static_cast<double>(step.tokens));
        }
    }
    expected.step_us = time(captured) / weight_;
    expected.hit_rate = hits / weight_;
    expected.padding_waste = replayed_tokens > 0 ? padded / replayed_tokens : 0;
    expected.beyond_ladder_weight = beyond_;
    return expected;
}

}  // namespace graphplan
