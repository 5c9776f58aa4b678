// Parts of a costs document that stand on their own.
#pragma once

#include "documents/value.hpp"
#include "graphplan/costs.hpp"

namespace graphplan::documents {

/// The executable memory of walks, all of pools that the document has.
/// @throws Error invalid_document
std::vector<WalkCosts> read_walk_costs(const Value& list, const Costs& costs);

/// Checks that whatever is planned from these costs is summed up without overflow, and replayed in a
/// bounded number of steps. `pools` is where the costs' pools stand.
/// @throws Error invalid_document at the bucket that goes beyond
void check_sums(const Value& pools, const Costs& costs);

}  // namespace graphplan::documents
