#include "replay_summary.hpp"

#include <cmath>

#include <fmt/format.h>

#include "documents_json.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::vector<std::string> latency_row(const std::string& what, const Latencies& latencies) {
    if (latencies.us.empty()) return {what, "0", "-", "-", "-", "-"};
    return {what,
            std::to_string(latencies.us.size()),
            format_us(latencies.mean()),
            format_us(latencies.quantile(0.5)),
            format_us(latencies.quantile(0.9)),
            format_us(latencies.quantile(0.99))};
}

double waste(const BucketUse& use) {
    return 1 - static_cast<double>(use.real_tokens) / static_cast<double>(use.tokens);
}

// Device events tell fractions of a microsecond; more digits than a nanosecond are noise.
double rounded(double us) { return std::round(us * 1000) / 1000; }

Json latencies_json(const Latencies& latencies) {
    if (latencies.us.empty()) return {};
    return {{"n", latencies.us.size()},
            {"mean", rounded(latencies.mean())},
            {"min", rounded(latencies.quantile(0))},
            {"p50", rounded(latencies.quantile(0.5))},
            {"p90", rounded(latencies.quantile(0.9))},
            {"p99", rounded(latencies.quantile(0.99))},
            {"max", rounded(latencies.quantile(1))}};
}

void print_buckets(std::ostream& out, const Paint& paint, const ReplayRun& run, bool everything) {
    std::vector<std::vector<std::string>> rows;
    for (const BucketUse& use : run.buckets) {
        rows.push_back({printable(use.pool), printable(to_string(use.id)),
                        std::to_string(use.replay_us.us.size()), percent(waste(use)),
                        format_us(use.replay_us.quantile(0.5))});
    }
    print_rows(out, paint, {{"pool"}, {"replayed"}, {"steps", true}, {"padding", true}, {"median", true}},
               std::move(rows), everything);
}

}  // namespace

void print_replay(std::ostream& out, const Paint& paint, const Serving& serving, const ReplayRun& run,
                  bool everything) {
    print_simulated(out, paint, serving.device->capabilities());
    if (!run.buckets.empty()) print_buckets(out, paint, run, everything);
    Table table({{"steps"}, {"n", true}, {"mean", true}, {"p50", true}, {"p90", true}, {"p99", true}});
    table.add(latency_row("replayed", run.replay_us));
    table.add(latency_row("the same, eagerly", run.replaced_us));
    table.add(latency_row("no bucket: eager", run.eager_us));
    table.print(out, paint);
    out << fmt::format("hit rate {}, padding waste {} of the tokens that graphs ran\n",
                       percent(run.hit_rate()), percent(run.padding_waste()));
    if (run.replay_us.total() > 0) {
        out << fmt::format("replay takes {} of eager's time: {:.2f} times as fast\n",
                           percent(run.replay_us.total() / run.replaced_us.total()),
                           run.replaced_us.total() / run.replay_us.total());
    }
    if (serving.plan.outputs == Outputs::shared) {
        Bytes bytes = 0;
        for (const TakenPool& pool : serving.report.pools) bytes += pool.taken_output_bytes;
        out << fmt::format("graphs of a walk and slot shared their outputs: {} in all\n",
                           format_bytes(bytes));
    }
    if (!serving.report.dropped.empty()) {
        out << fmt::format("{} of the plan could not be captured and ran eagerly\n",
                           counted(serving.report.dropped.size(), "bucket"));
    }
}

std::string to_json(const Serving& serving, const ReplayRun& run) {
    Json document = begin_result("replay", serving.plan.outputs);
    add_place(document, serving.device->capabilities(), serving.difference);
    document["dropped"] = dropped_json(serving.report.dropped);
    document["steps"] = run.steps();
    if (run.steps_left > 0) {
        document["schema_version"] = "1.1";
        document["steps_left"] = run.steps_left;
    }
    document["replayed_steps"] = run.replay_us.us.size();
    document["eager_steps"] = run.eager_us.us.size();
    document["hit_rate"] = run.hit_rate();
    document["real_tokens"] = run.real_tokens;
    document["graph_tokens"] = run.tokens;
    document["padding_waste"] = run.padding_waste();
    document["replay_us"] = latencies_json(run.replay_us);
    document["replaced_us"] = latencies_json(run.replaced_us);
    document["eager_us"] = latencies_json(run.eager_us);
    document["buckets"] = Json::array();
    for (const BucketUse& use : run.buckets) {
        Json bucket = bucket_json(use.pool, use.id);
        bucket["real_tokens"] = use.real_tokens;
        bucket["graph_tokens"] = use.tokens;
        bucket["replay_us"] = latencies_json(use.replay_us);
        document["buckets"].push_back(bucket);
    }
    return document.dump(2) + "\n";
}

}  // namespace graphplan::cli
