// A plan without what another objective would bring beside it.
#pragma once

#include <span>

#include "graphplan/planner.hpp"

namespace graphplan {

/// As make_plan, but for `expected_by_count`, which takes a second plan.
PlanResult plan_alone(std::span<const Costs> ranks, const PlanOptions& options);

}  // namespace graphplan
