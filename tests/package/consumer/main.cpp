// Plans three hand-made buckets in a room for two of them.
#include <graphplan/planner.hpp>

#include <array>
#include <iostream>

int main() {
    using namespace graphplan;
    Costs costs;
    PoolCosts pool{"llm", {}};
    for (std::int64_t bs : {4, 2, 1}) {
        BucketCost bucket;
        bucket.id = {"decode", std::nullopt, bs, bs};
        bucket.peak_bytes = 8 * kMiB;
        bucket.graph_bytes = 16 * kMiB;
        bucket.kept_bytes = 8 * kMiB;
        pool.buckets.push_back(bucket);
    }
    costs.pools.push_back(pool);
    PlanOptions options;
    options.free_bytes = 8 * kMiB + 24 * kMiB;
    const PlanResult result = make_plan(std::array{costs}, options);
    std::cout << "planned " << result.plan.pools[0].captures.size() << " of 3 buckets\n";
}
