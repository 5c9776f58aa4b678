// Costs of a size to measure with.
#pragma once

#include <cstddef>

#include "graphplan/costs.hpp"

namespace graphplan::bench {

/// Buckets in 8 pools of two walks each, of which everything fits; no traces.
Costs segments_costs(std::size_t buckets);

/// The recording's captures as buckets of two slots, each with its own events.
Costs exact_costs(const Trace& recording);

}  // namespace graphplan::bench
