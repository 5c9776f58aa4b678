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

/// The most slots that a ladder's shared buffer may have; one limit of 0 where it has none.
std::vector<std::int64_t> slot_limits(const LatencyMemory& memory, const LadderGraph& graph);

/// One walk's ladder, with what its buckets take. It is worked out for each limit of its buffer's slots: with
/// the limit given, what a bucket adds to the buffer depends on no other bucket's slots.
class LadderTable {
  public:
    /// The memory and the graph outlive it.
    LadderTable(const LatencyMemory& memory, const LadderGraph& graph);

    /// All of the walk's captured buckets have at most `scratch`. `before` is what other walks take.
    TimesByMemory run(const TimesByMemory& before, Units scratch);
    /// The buckets that make up `at` of the last run's result, and where they start from.
    MemoryPoint trace(const TimesByMemory& before, MemoryPoint at, std::vector<bool>& captured) const;

    /// Steps that a run makes for each unit of memory.
    std::size_t work() const noexcept { return graph_.arc_count() * states_within(); }
    std::size_t node_count() const noexcept { return graph_.nodes().size() * states_within(); }
    const LadderGraph& graph() const noexcept { return graph_; }

  private:
    using Times = TimesByMemory::Times;
    struct Taken {
        Units units = 0;  ///< beyond what it reuses
        std::size_t state = 0;
    };

    /// A state of a node: what was reused before the walk, by the walk, and the limit of its buffer's slots.
    std::size_t states_within() const { return static_cast<std::size_t>(held_ + 1) * slots_.size(); }
    std::size_t state_count(const TimesByMemory& before) const {
        return before.by_reuse.size() * states_within();
    }
    std::size_t reuse_before(std::size_t state) const { return state / states_within(); }
    Units reuse_within(std::size_t state) const {
        return static_cast<Units>(state % states_within() / slots_.size());
    }
    std::int64_t most_slots(std::size_t state) const { return slots_[state % slots_.size()]; }
    std::size_t reuse_after(std::size_t state) const;
    bool allows(const LadderGraph::Arc& arc, std::size_t state) const;
    Taken take(const LadderGraph::Arc& arc, std::size_t state) const;
    void enter(std::size_t node, const LadderGraph::Arc& arc);
    MemoryPoint walk_back(std::size_t node, std::size_t state, Units units,
                          std::vector<bool>& captured) const;

    const LatencyMemory& memory_;
    const LadderGraph& graph_;
    std::vector<std::int64_t> slots_;  ///< the limits, ascending
    Units held_ = 0;
    Units scratch_ = 0;
    std::vector<std::vector<Times>> times_;  ///< [node][state]; empty: never reached
};

}  // namespace graphplan
