// Costs that were measured on throwaway captures, against what new processes took.
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/planner.hpp"

namespace graphplan {
namespace {

using Json = nlohmann::json;
using Shapes = std::vector<std::pair<std::int64_t, std::int64_t>>;

PlanResult plan_cut_down(Costs costs, const Shapes& captured) {
    auto& buckets = costs.pools.at(0).buckets;
    std::erase_if(buckets, [&](const BucketCost& bucket) {
        const std::pair shape{bucket.id.bs, bucket.id.tokens};
        return std::find(captured.begin(), captured.end(), shape) == captured.end();
    });
    PlanOptions options;
    options.memory_model = MemoryModel::exact;
    return make_plan(std::span<const Costs>(&costs, 1), options);
}

void check_process(const Costs& costs, const Json& process) {
    const auto captured = process.at("captured").get<Shapes>();
    const PoolPlan pool = plan_cut_down(costs, captured).plan.pools.at(0);
    CHECK(pool.eager.empty());
    Shapes planned;
    for (const PlannedCapture& capture : pool.captures)
        planned.emplace_back(capture.id.bs, capture.id.tokens);
    CHECK(planned == captured);
    CHECK(pool.predicted_bytes == process.at("pool_bytes").get<Bytes>());
    CHECK(std::abs(pool.outside_bytes - process.at("executable_bytes").get<Bytes>()) <= 2 * kMiB);
}

}  // namespace

TEST_CASE("plans predict what fresh processes took, to the byte") {
    int processes = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(GRAPHPLAN_SOURCE_DIR "/tests/data/fresh_process")) {
        CAPTURE(entry.path().string());
        DocumentText text = read_text(entry.path().string());
        const Json document = Json::parse(text.text);
        text.text = document.at("costs").dump();
        const Costs costs = parse_costs(text, {});
        for (const Json& process : document.at("fresh_process")) {
            check_process(costs, process);
            ++processes;
        }
    }
    CHECK(processes >= 9);
}

}  // namespace graphplan
