// The shortest paths through a walk's ladder for every amount of memory.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "planner/latency_ladder.hpp"
#include "planner/latency_memory.hpp"

namespace graphplan {

/// The least weighted microseconds by units of memory used at most; one table for each amount of reuse that
/// is spent (only one where reuse is not bounded).
struct TimesByMemory {
    static constexpr double kNever = std::numeric_limits<double>::infinity();
    using Times = std::vector<double>;

    std::vector<Times> by_reuse;

    TimesByMemory(std::size_t reuses, Units most, double us)
        : by_reuse(reuses, Times(static_cast<std::size_t>(most) + 1, us)) {}
    /// With `units` more memory used.
    TimesByMemory shifted(Units units) const;
};

/// A place in TimesByMemory.
struct MemoryPoint {
    std::size_t reuse = 0;
    Units units = 0;
};

/// One walk's ladder, with what its buckets take.
class LadderTable {
  public:
    /// The memory and the graph outlive it.
    LadderTable(const LatencyMemory& memory, const LadderGraph& graph);

    /// All of the walk's captured buckets have at most `scratch`. `before` is what other walks take.
    TimesByMemory run(const TimesByMemory& before, Units scratch);
    /// The buckets that make up `at` of the last run's result, and where they start from.
    MemoryPoint trace(const TimesByMemory& before, MemoryPoint at, std::vector<bool>& captured) const;

    /// Steps that a run makes for each unit of memory.
    std::size_t work() const noexcept { return graph_.arc_count() * static_cast<std::size_t>(held_ + 1); }
    std::size_t node_count() const noexcept {
        return graph_.nodes().size() * static_cast<std::size_t>(held_ + 1);
    }
    const LadderGraph& graph() const noexcept { return graph_; }

  private:
    using Times = TimesByMemory::Times;
    struct Taken {
        Units units = 0;  ///< beyond what it reuses
        std::size_t state = 0;
    };

    /// A state of a node: what was reused before the walk, and by the walk.
    std::size_t state_count(const TimesByMemory& before) const {
        return before.by_reuse.size() * static_cast<std::size_t>(held_ + 1);
    }
    std::size_t reuse_before(std::size_t state) const { return state / static_cast<std::size_t>(held_ + 1); }
    Units reuse_within(std::size_t state) const {
        return static_cast<Units>(state % static_cast<std::size_t>(held_ + 1));
    }
    std::size_t reuse_after(std::size_t state) const;
    Taken take(std::uint32_t item, std::size_t state) const;
    void enter(std::size_t node, const LadderGraph::Arc& arc);
    MemoryPoint walk_back(std::size_t node, std::size_t state, Units units,
                          std::vector<bool>& captured) const;

    const LatencyMemory& memory_;
    const LadderGraph& graph_;
    Units held_ = 0;
    Units scratch_ = 0;
    std::vector<std::vector<Times>> times_;  ///< [node][state]; empty: never reached
};

}  // namespace graphplan
