#include "report/figures.hpp"

namespace graphplan::cli::report {

std::vector<Figure> figures(const Inputs& inputs) {
    std::vector<Figure> all{budget_use(inputs), memory_by_walk(inputs)};
    for (const PoolCosts& pool : inputs.costs.pools) all.push_back(cost_by_size(pool));
    all.push_back(eager_and_replay(inputs.costs));
    if (inputs.plan != nullptr) all.push_back(greedy_steps(*inputs.plan));
    all.push_back(budget_sweep(inputs));
    all.push_back(peak_timeline(inputs.costs));
    for (std::size_t pool = 0; pool < inputs.costs.pools.size(); ++pool)
        all.push_back(pool_map(inputs, pool));
    return all;
}

}  // namespace graphplan::cli::report
