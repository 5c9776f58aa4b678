// Which demands a plan does not meet, and by how much.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "graphplan/planner.hpp"
#include "planner/rank_plan.hpp"

namespace graphplan {

/// One line for each --must bucket that stays eager, one for --require-all (denied buckets were never
/// wanted; ones that could not be captured were), and one for each rank on which the demanded buckets
/// alone take more than its room.
std::vector<std::string> unmet_demands(const Plan& plan, const PlanOptions& options,
                                       const std::deque<RankChoice>& ranks);

}  // namespace graphplan
