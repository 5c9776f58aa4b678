// What a report shows: charts of a costs document and, where there is one, of a plan made from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphplan/costs.hpp"
#include "graphplan/plan.hpp"

namespace graphplan::cli::report {

/// A chart with the numbers behind it, or the reason why there is none.
struct Figure {
    std::string id;     ///< of the page's anchor
    std::string title;  ///< what it shows, as a sentence
    std::string note;   ///< what to read from it, or why there is no chart
    std::string svg;    ///< empty: no chart
    std::vector<std::string> legend;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;  ///< as text, the figures of the chart
};

struct Inputs {
    const Costs& costs;
    const Plan* plan = nullptr;
};

/// In the order of the page. @throws Error invalid_document where the plan captures a bucket that the costs
/// don't have
std::vector<Figure> figures(const Inputs& inputs);

/// One of `figures` each.
Figure memory_by_walk(const Inputs& inputs);
Figure budget_use(const Inputs& inputs);
Figure cost_by_size(const PoolCosts& pool);
Figure eager_and_replay(const Costs& costs);
Figure greedy_steps(const Plan& plan);
Figure budget_sweep(const Inputs& inputs);
Figure peak_timeline(const Costs& costs);
/// The pool's segments after its planned captures (all that have a graph, without a plan).
Figure pool_map(const Inputs& inputs, std::size_t pool);

}  // namespace graphplan::cli::report
