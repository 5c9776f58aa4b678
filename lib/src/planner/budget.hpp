// The memory that a plan has to fit.
#pragma once

#include "graphplan/plan.hpp"
#include "graphplan/planner.hpp"

namespace graphplan {

/// Free memory, floor, one-off and room; `room_left_bytes` is the room.
/// @throws Error invalid_argument where no free memory is known, or the fraction lacks the device's total
Budget budget_of(const Costs& costs, Bytes floor, const PlanOptions& options);

}  // namespace graphplan
