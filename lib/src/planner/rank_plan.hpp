// What one rank would capture by its own costs and memory.
#pragma once

#include <memory>
#include <vector>

#include "graphplan/plan.hpp"
#include "planner/capture_order.hpp"
#include "planner/search.hpp"

namespace graphplan {

/// `order` outlives the search. @throws Error invalid_document as the models' constructors do
std::unique_ptr<Search> make_search(MemoryModel model, const Catalog& catalog, const Reuse& reuse,
                                    const CaptureOrder& order);

struct RankRules {
    MemoryModel model = MemoryModel::segments;
    Reuse reuse;
};

class RankChoice {
  public:
    /// `budget` says the room. The catalog outlives it.
    RankChoice(const Catalog& catalog, const RankRules& rules, const Budget& budget);

    /// Takes the demanded buckets (one flag for each item), then the cheapest while they fit. False, with
    /// nothing taken, if the demanded ones alone do not fit.
    bool choose(const std::vector<bool>& demanded);

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

    const Catalog& catalog_;
    RankRules rules_;
    Budget budget_;
    CaptureOrder order_;
    Taken taken_;
};

}  // namespace graphplan
