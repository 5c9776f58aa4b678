// Short ways to plan and to look at a plan.
#pragma once

#include <vector>

#include "catch.hpp"
#include "graphplan/planner.hpp"

namespace graphplan::testing {

inline PlanResult plan_one(const Costs& costs, const PlanOptions& options) {
    return make_plan(std::span<const Costs>(&costs, 1), options);
}

inline PlanResult plan_segments(const Costs& costs, Bytes free) {
    PlanOptions options;
    options.free_bytes = free;
    return plan_one(costs, options);
}

inline std::vector<std::int64_t> captured_sizes(const PoolPlan& pool) {
    std::vector<std::int64_t> sizes;
    for (const PlannedCapture& capture : pool.captures) sizes.push_back(capture.id.bs);
    return sizes;
}

inline const EagerBucket& only_eager(const Plan& plan) {
    REQUIRE(plan.pools.at(0).eager.size() == 1);
    return plan.pools[0].eager[0];
}

}  // namespace graphplan::testing
