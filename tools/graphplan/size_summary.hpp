// What `size` tells people about the costs that it measured.
#pragma once

#include <iosfwd>

#include "graphplan/costs.hpp"
#include "graphplan/planner.hpp"
#include "terminal.hpp"

namespace graphplan::cli {

/// Every pool's buckets, executables and the device's memory; first rows only unless `everything`.
void print_costs(std::ostream& out, const Paint& paint, const Costs& costs, bool everything);

/// What a plan within `free_bytes` would capture.
void print_within(std::ostream& out, const PlanResult& result, Bytes free_bytes);

}  // namespace graphplan::cli
