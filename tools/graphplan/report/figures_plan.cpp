#include <algorithm>

#include <fmt/format.h>

#include "graphplan/planner.hpp"
#include "report/figures.hpp"
#include "report/parts.hpp"
#include "report/svg.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace graphplan::cli::report {
namespace {

constexpr Bytes kSweepSteps = 256;

struct Step {
    const PlannedCapture* capture = nullptr;
    std::string name;
};

std::vector<Step> steps_of(const Plan& plan) {
    std::vector<Step> steps;
    for (const PoolPlan& pool : plan.pools) {
        for (const PlannedCapture& capture : pool.captures) {
            steps.push_back({&capture, label_of(pool.name, capture.id)});
        }
    }
    std::sort(steps.begin(), steps.end(),
              [](const Step& a, const Step& b) { return a.capture->chosen < b.capture->chosen; });
    return steps;
}

// What everything takes at most: from there on a sweep shows no change.
Bytes everything(const Costs& costs) {
    Bytes sum = costs.one_off_bytes, floor = 0;
    for (const PoolCosts& pool : costs.pools) {
        for (const BucketCost& bucket : pool.buckets) {
            floor = std::max(floor, bucket.peak_bytes);
            const Bytes graph = bucket.graph_bytes.value_or(0) + kSegment;
            sum +=
                bucket.slots * (std::min<Bytes>(graph, bucket.kept_bytes + kSegment) + bucket.outside_bytes);
        }
    }
    Bytes scratch = 0;
    for (const PoolCosts& pool : costs.pools) {
        for (const BucketCost& bucket : pool.buckets)
            scratch = std::max(scratch, bucket.graph_bytes.value_or(0));
    }
    return sum + floor + scratch * static_cast<Bytes>(costs.pools.size());
}

}  // namespace

Figure greedy_steps(const Plan& plan) {
    Figure figure{"steps", "The planner's steps", "", "", {"used"}, {"step", "bucket", "added", "used"}, {}};
    figure.note = "The cheapest bucket first, again and again, until the cheapest that is left does not fit.";
    LineChart chart{figure.title,
                    "buckets taken",
                    {{"used", {{0, 0, ""}}}},
                    as_bytes,
                    as_count,
                    false,
                    true,
                    number(std::max<Bytes>(0, plan.budget.room_bytes)),
                    "room for graphs"};
    Bytes used = 0;
    for (const Step& step : steps_of(plan)) {
        used += step.capture->added_bytes;
        const auto count = static_cast<std::int64_t>(figure.rows.size()) + 1;
        chart.series[0].points.push_back(
            {number(count), number(used),
             fmt::format("{}. {}: added {}, used {}", count, step.name,
                         format_bytes(step.capture->added_bytes), format_bytes(used))});
        figure.rows.push_back(
            {std::to_string(count), step.name, format_bytes(step.capture->added_bytes), format_bytes(used)});
    }
    if (figure.rows.empty()) return without_chart(figure, "The plan captures nothing.");
    figure.svg = to_svg(chart);
    return figure;
}

Figure budget_sweep(const Inputs& inputs) {
    const Costs& costs = inputs.costs;
    Figure figure{"sweep", "Buckets by free memory", "", "", {"buckets captured"}, {}, {}};
    figure.columns = {"from free memory", "buckets captured", "used", "comes in"};
    const Bytes most = round_up(everything(costs), kSegment);
    const Bytes step = round_up(std::max<Bytes>(most / kSweepSteps, 1), kSegment);
    PlanOptions options;
    if (inputs.plan != nullptr) options.outputs = inputs.plan->outputs;
    const std::vector<SweepStep> steps = sweep(std::span<const Costs>(&costs, 1), options, {0, most, step});
    LineChart chart{
        figure.title, "free memory", {{"buckets captured", {}}}, as_count, as_bytes, false, true, {}, ""};
    for (const SweepStep& at : steps) {
        std::string added;
        for (const PoolBucket& bucket : at.added)
            added += (added.empty() ? "" : ", ") + label_of(bucket.pool, bucket.id);
        chart.series[0].points.push_back(
            {number(at.free_bytes), static_cast<double>(at.captured),
             fmt::format("from {}: {}", format_bytes(at.free_bytes), counted(at.captured, "bucket"))});
        figure.rows.push_back({format_bytes(at.free_bytes), std::to_string(at.captured),
                               format_bytes(at.used_bytes), added.empty() ? "-" : added});
    }
    if (figure.rows.empty()) return without_chart(figure, "No budget captures anything.");
    chart.series[0].points.push_back({number(most), static_cast<double>(steps.back().captured), ""});
    figure.note = "How many buckets the planner captures as more memory is free.";
    figure.svg = to_svg(chart);
    return figure;
}

Figure eager_and_replay(const Costs& costs) {
    Figure figure{"times", "Eager against replay", "", "", {"eager", "replay"}, {}, {}};
    figure.columns = {"bucket", "eager", "replay", "eager / replay"};
    BarChart chart{figure.title, figure.legend, {}, format_us, false};
    for (const PoolCosts& pool : costs.pools) {
        for (const BucketCost& bucket : pool.buckets) {
            if (!bucket.eager_us || !bucket.replay_us) continue;
            const double eager = bucket.eager_us->median, replay = bucket.replay_us->median;
            const std::string name = label_of(pool.name, bucket.id);
            chart.bars.push_back({name, {eager, replay}});
            figure.rows.push_back({name, format_us(eager), format_us(replay),
                                   replay > 0 ? fmt::format("{:.2f}", eager / replay) : "-"});
        }
    }
    if (figure.rows.empty()) {
        return without_chart(figure, "Nothing was timed: size with --time to see what replaying gains.");
    }
    figure.note = "Median of one step, run eagerly and replayed.";
    figure.svg = to_svg(chart);
    return figure;
}

}  // namespace graphplan::cli::report
