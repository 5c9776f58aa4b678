// Latency planning once more, by trying every set of buckets. It shares no code with the library's planner.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "graphplan/planner.hpp"
#include "reference_planner.hpp"

namespace graphplan::testing {

/// Costs with times, and traffic for them.
struct TimedCosts {
    Costs costs;
    Traffic traffic;
};

/// At most 14 buckets in at most two pools: ladders in one and two dimensions, regions, keys, slots, null
/// graphs; steps between buckets, of no bucket's size, that stand twice.
TimedCosts random_timed(std::uint32_t seed);

/// What steps take with these captured, weighted, by walking over the steps and buckets.
double reference_time(const TimedCosts& timed, const std::set<Place>& captured);

/// What they take in units of 2 MiB.
std::int64_t reference_units(const Costs& costs, const PlanOptions& options, const std::set<Place>& captured);

/// The least time of any set that fits and holds the forced ones; nothing if they do not fit.
std::optional<double> least_time(const TimedCosts& timed, const PlanOptions& options, Bytes room,
                                 const std::set<Place>& forced = {});

}  // namespace graphplan::testing
