// Buckets that a plan must hold.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "graphplan/planner.hpp"
#include "planner/catalog.hpp"

namespace graphplan {

/// "decode:64" or "decode:64:64", as it was written.
std::string to_string(const MustCapture& must);

/// For each item whether it is demanded and has a graph.
std::vector<bool> demanded(const Catalog& catalog, const PlanOptions& options);

/// @throws Error invalid_argument where a demand names no bucket of any rank
void check_demands(std::span<const Catalog> ranks, std::span<const MustCapture> demands);

}  // namespace graphplan
