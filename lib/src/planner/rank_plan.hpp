// What one rank would capture by its own costs and memory.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "graphplan/plan.hpp"
#include "planner/latency_plan.hpp"
#include "planner/rank_rules.hpp"

namespace graphplan {

class RankChoice {
  public:
    /// `budget` says the room. The catalog outlives it.
    RankChoice(const Catalog& catalog, const RankRules& rules, const Budget& budget);

    /// Takes the demanded buckets (one flag for each item), then the cheapest while they fit. False, with
    /// nothing taken, if the demanded ones alone do not fit.
    bool choose(const std::vector<bool>& demanded);
    /// Takes those with which the steps take the least time, the demanded ones among them. The workload, of
    /// the same catalog, outlives it.
    bool choose_fastest(const Workload& workload, const std::vector<bool>& demanded);
    /// What no set of buckets that fits by segments takes less than, weighted; where that was worked out.
    std::optional<double> lower_us() const noexcept { return lower_us_; }

    bool floor_fits() const noexcept { return budget_.free_bytes >= budget_.floor_bytes; }
    const Catalog& catalog() const noexcept { return catalog_; }
    const Budget& budget() const noexcept { return budget_; }
    const std::vector<Choice>& choices() const noexcept { return taken_.choices; }
    bool has(ItemIndex item) const noexcept { return taken_.flags[item]; }
    Search& search() noexcept { return *taken_.search; }
    /// Why a bucket that was not taken stays eager. `id` and `region` are set too.
    EagerBucket reason(ItemIndex item);
    /// What demanded buckets take in all, where nothing else is captured.
    Bytes total(const std::vector<bool>& demanded) const;

  private:
    struct Taken {
        std::unique_ptr<Search> search;
        std::vector<Choice> choices;
        std::vector<bool> flags;
        Bytes used = 0;
    };

    Taken nothing(MemoryModel model) const;
    void take_demanded(Taken& taken, const std::vector<bool>& demanded) const;
    void fill(Taken& taken) const;
    void prefer_segments(const std::vector<bool>& demanded);
    Bytes cost_of(ItemIndex item);
    void weigh(EagerBucket& eager, ItemIndex item);

    const Catalog& catalog_;
    RankRules rules_;
    Budget budget_;
    CaptureOrder order_;
    Taken taken_;
    const Workload* workload_ = nullptr;  ///< where the objective is latency
    std::optional<double> lower_us_;
};

}  // namespace graphplan
