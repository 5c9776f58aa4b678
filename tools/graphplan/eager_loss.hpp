// What it costs a step that its bucket stays eager, where the costs hold times.
#pragma once

#include <iosfwd>
#include <vector>

#include "graphplan/costs.hpp"
#include "graphplan/plan.hpp"
#include "terminal.hpp"

namespace graphplan::cli {

/// A line for each eager bucket that was timed both ways, the largest loss first; nothing without times. Of
/// several ranks the one that loses most counts, since the others wait for it.
void print_eager_losses(std::ostream& out, const Paint& paint, const Plan& plan,
                        const std::vector<Costs>& ranks, bool everything);

}  // namespace graphplan::cli
