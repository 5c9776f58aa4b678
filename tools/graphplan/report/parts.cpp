#include "report/parts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "terminal.hpp"
#include "words.hpp"

namespace graphplan::cli::report {
namespace {

const BucketCost& find(const PoolCosts& pool, const PlannedCapture& planned, const Inputs& inputs) {
    for (const BucketCost& cost : pool.buckets) {
        if (cost.id == planned.id && cost.graph_bytes) return cost;
    }
    throw Error(
        ErrorCode::invalid_document,
        fmt::format("{}: {}: {} is in the plan but has no graph in {}: give the costs that the plan was "
                    "made from",
                    inputs.plan->source, printable(pool.name), printable(to_string(planned.id)),
                    inputs.costs.source));
}

}  // namespace

std::string as_bytes(double bytes) { return format_bytes(static_cast<Bytes>(std::llround(bytes))); }
std::string as_count(double count) { return fmt::format("{:.0f}", count); }
double number(std::int64_t value) { return static_cast<double>(value); }

std::string walk_label(const BucketKey& id) { return cli::walk_label(id.walk, id.key); }

std::vector<const BucketCost*> captured(const Inputs& inputs, std::size_t pool) {
    std::vector<const BucketCost*> costs;
    const PoolCosts& measured = inputs.costs.pools[pool];
    if (inputs.plan == nullptr) {
        for (const BucketCost& bucket : measured.buckets) {
            if (bucket.graph_bytes) costs.push_back(&bucket);
        }
        return costs;
    }
    for (const PoolPlan& planned : inputs.plan->pools) {
        if (planned.name != measured.name) continue;
        for (const PlannedCapture& capture : planned.captures)
            costs.push_back(&find(measured, capture, inputs));
    }
    return costs;
}

bool keeps_outputs(const Inputs& inputs, const BucketCost& cost) {
    return inputs.plan == nullptr || inputs.plan->outputs == Outputs::per_graph || cost.region;
}

std::vector<OutputBuffer> buffers_of(const Inputs& inputs, std::size_t pool) {
    if (inputs.plan == nullptr) return {};
    const auto& pools = inputs.plan->pools;
    const auto found = std::find_if(pools.begin(), pools.end(), [&](const PoolPlan& planned) {
        return planned.name == inputs.costs.pools[pool].name;
    });
    return found == pools.end() ? std::vector<OutputBuffer>{} : found->output_buffers;
}

Figure without_chart(Figure figure, std::string why) {
    figure.note = std::move(why);
    figure.svg.clear();
    figure.legend.clear();
    return figure;
}

}  // namespace graphplan::cli::report
