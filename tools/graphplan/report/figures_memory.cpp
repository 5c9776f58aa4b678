#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "report/figures.hpp"
#include "report/parts.hpp"
#include "report/svg.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace graphplan::cli::report {
namespace {

struct WalkParts {
    Bytes kept = 0, executables = 0;
};

// What the captured buckets of a pool keep and hold outside it, by walk; and the scratch that they share.
struct PoolParts {
    std::map<std::string, WalkParts> walks;
    Bytes scratch = 0;
    std::size_t graphs = 0;
};

PoolParts parts_of(const Inputs& inputs, std::size_t pool) {
    PoolParts parts;
    for (const BucketCost* cost : captured(inputs, pool)) {
        WalkParts& walk = parts.walks[walk_label(cost->id)];
        if (keeps_outputs(inputs, *cost)) walk.kept += cost->slots * cost->kept_bytes;
        walk.executables += cost->slots * cost->outside_bytes;
        parts.scratch = std::max(parts.scratch, *cost->graph_bytes - cost->kept_bytes);
        parts.graphs += static_cast<std::size_t>(cost->slots);
    }
    for (const OutputBuffer& buffer : buffers_of(inputs, pool))
        parts.walks[cli::walk_label(buffer.walk, buffer.key)].kept += buffer.bytes;
    return parts;
}

bool shares_outputs(const Inputs& inputs) {
    return inputs.plan != nullptr && inputs.plan->outputs == Outputs::shared;
}

Bytes floor_of(const Costs& costs) {
    Bytes floor = 0;
    for (const PoolCosts& pool : costs.pools) {
        for (const BucketCost& bucket : pool.buckets) floor = std::max(floor, bucket.peak_bytes);
    }
    return floor;
}

// A walk is one line, or one for each batch size where several have the same tokens.
std::set<std::string> walks_of_many_batch_sizes(const PoolCosts& pool) {
    std::set<std::pair<std::string, std::int64_t>> seen;
    std::set<std::string> walks;
    for (const BucketCost& bucket : pool.buckets) {
        const std::string walk = walk_label(bucket.id);
        if (!seen.insert({walk, bucket.id.tokens}).second) walks.insert(walk);
    }
    return walks;
}

}  // namespace

Figure memory_by_walk(const Inputs& inputs) {
    Figure figure{"memory", "Where the memory goes", "", "", {"kept", "shared scratch", "executables"}, {},
                  {}};
    figure.note = fmt::format(
        "What {} keep for good, the scratch that the graphs of a pool share, and the driver's "
        "memory for their executables.",
        inputs.plan != nullptr ? "the planned graphs" : "all graphs");
    if (shares_outputs(inputs)) figure.note += " The graphs of a walk keep one buffer, which they share.";
    figure.columns = {"pool: walk", "kept", "shared scratch", "executables"};
    BarChart chart{figure.title, figure.legend, {}, as_bytes, true};
    const auto add = [&](const std::string& label, Bytes kept, Bytes scratch, Bytes executables) {
        chart.bars.push_back({label, {number(kept), number(scratch), number(executables)}});
        figure.rows.push_back({label, format_bytes(kept), format_bytes(scratch), format_bytes(executables)});
    };
    for (std::size_t pool = 0; pool < inputs.costs.pools.size(); ++pool) {
        const PoolParts parts = parts_of(inputs, pool);
        const std::string name = printable(inputs.costs.pools[pool].name);
        for (const auto& [walk, bytes] : parts.walks)
            add(fmt::format("{}: {}", name, walk), bytes.kept, 0, bytes.executables);
        if (parts.graphs > 0) add(name + ": shared", 0, parts.scratch, 0);
    }
    if (figure.rows.empty()) return without_chart(figure, "No bucket is captured.");
    figure.svg = to_svg(chart);
    return figure;
}

Figure budget_use(const Inputs& inputs) {
    Figure figure{"budget", "What the free memory is used for", "", "", {}, {"part", "bytes"}, {}};
    if (inputs.plan == nullptr) {
        const Bytes floor = floor_of(inputs.costs);
        figure.rows = {{"floor", format_bytes(floor)}, {"one-off", format_bytes(inputs.costs.one_off_bytes)}};
        return without_chart(figure, "Give a plan to see what its budget is used for.");
    }
    const Budget& budget = inputs.plan->budget;
    Bytes pools = 0, executables = 0, outputs = 0;
    for (const PoolPlan& pool : inputs.plan->pools) {
        for (const OutputBuffer& buffer : pool.output_buffers) outputs += buffer.bytes;
        pools += pool.predicted_bytes;
        executables += pool.outside_bytes;
    }
    figure.legend = {"floor", "one-off", "pools", "executables", "room left"};
    std::vector<Bytes> parts{budget.floor_bytes, budget.one_off_bytes, pools - outputs, executables,
                             std::max<Bytes>(0, budget.room_left_bytes)};
    if (shares_outputs(inputs)) {
        figure.legend.insert(figure.legend.begin() + 3, "shared outputs");
        parts.insert(parts.begin() + 3, outputs);
    }
    BarChart chart{figure.title, figure.legend, {{"free memory", {}}}, as_bytes, true};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        chart.bars[0].parts.push_back(number(parts[i]));
        figure.rows.push_back({figure.legend[i], format_bytes(parts[i])});
    }
    figure.note =
        fmt::format("{} free, from {}. Pools as the {} memory model predicts them.",
                    format_bytes(budget.free_bytes), budget.source, to_string(inputs.plan->memory_model));
    figure.svg = to_svg(chart);
    return figure;
}

Figure cost_by_size(const PoolCosts& pool) {
    Figure figure{"size-" + pool.name, "Cost against size: " + printable(pool.name), "", "", {}, {}, {}};
    figure.note = "A graph's bytes in its pool, by the tokens of its bucket.";
    figure.columns = {"bucket", "tokens", "graph", "kept", "eager peak"};
    std::map<std::string, Series> walks;
    const std::set<std::string> packed = walks_of_many_batch_sizes(pool);
    for (const BucketCost& bucket : pool.buckets) {
        const std::string walk = walk_label(bucket.id);
        const std::string line = packed.contains(walk) ? fmt::format("{} bs={}", walk, bucket.id.bs) : walk;
        const std::string name = printable(to_string(bucket.id));
        figure.rows.push_back({name, std::to_string(bucket.id.tokens),
                               bucket.graph_bytes ? format_bytes(*bucket.graph_bytes) : "no graph",
                               format_bytes(bucket.kept_bytes), format_bytes(bucket.peak_bytes)});
        if (!bucket.graph_bytes) continue;
        walks[line].points.push_back({number(bucket.id.tokens), number(*bucket.graph_bytes),
                                      fmt::format("{}: {}", name, format_bytes(*bucket.graph_bytes))});
    }
    LineChart chart{figure.title, "tokens", {}, as_bytes, as_count, true, false, {}, ""};
    for (auto& [walk, series] : walks) {
        series.name = walk;
        std::sort(series.points.begin(), series.points.end(),
                  [](const Point& a, const Point& b) { return a.x < b.x; });
        figure.legend.push_back(walk);
        chart.series.push_back(std::move(series));
    }
    if (chart.series.empty()) return without_chart(figure, "No bucket of this pool has a graph.");
    figure.svg = to_svg(chart);
    return figure;
}

}  // namespace graphplan::cli::report
