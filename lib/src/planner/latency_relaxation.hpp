// A good set of buckets and a bound of how good any can be, where there are too many for tables.
#pragma once

#include <vector>

#include "planner/latency_choice.hpp"
#include "planner/latency_ladder.hpp"
#include "planner/latency_memory.hpp"

namespace graphplan {

/// Gives memory a price instead of a limit: then every walk's best path is found on its own, and with any
/// price their sum, less the price of the room, is a bound for every set that fits. The price with the
/// highest bound lies where paths that need too much and paths that fit cost the same.
class LatencyRelaxation {
  public:
    using Pools = std::vector<std::vector<LadderGraph>>;  ///< the ladders of each pool

    LatencyRelaxation(const Workload& workload, const LatencyMemory& memory, const Pools& pools,
                      const std::vector<bool>& forced, Units room);

    LatencyChoice choose();

  private:
    struct Paths {
        double us = 0;
        Units units = 0;
        std::vector<ItemIndex> items;

        double cost(double price) const { return us + price * static_cast<double>(units); }
    };
    /// Limits of a pool's scratch, or of a walk's slots, that are taken together: the least is paid for, the
    /// most allowed.
    struct Limits {
        std::int64_t least = 0;
        std::int64_t most = 0;
    };
    static std::vector<Limits> grouped(const std::vector<std::int64_t>& limits, std::size_t most_groups);

    /// Of a walk with one price: over all limits of its buffer's slots, and with one.
    Paths shortest(const LadderGraph& ladder, Units scratch, double price) const;
    Paths shortest(const LadderGraph& ladder, Units scratch, Limits slots, double price) const;
    Paths pool_paths(std::size_t pool, double price) const;
    Paths solve(double price);
    void search_price();
    void consider(const std::vector<ItemIndex>& items);
    void improve();
    bool improve_once(const std::vector<ItemIndex>& items);

    const Workload& workload_;
    const LatencyMemory& memory_;
    const Pools& pools_;
    const std::vector<bool>& forced_;
    Units room_;
    std::vector<std::vector<Limits>> limits_;
    LatencyChoice best_;
    double best_us_ = 0;
};

}  // namespace graphplan
