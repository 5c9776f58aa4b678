#include <fmt/format.h>
#include <fmt/ranges.h>

#include "csv.hpp"
#include "timings.hpp"

namespace graphplan::cli {
namespace {

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.3f}", *value) : ""; }

void add_timing(std::vector<std::string>& fields, const std::optional<Timing>& timing) {
    const Timing shown = timing.value_or(Timing{});
    const TimeSummary& summary = shown.summary;
    fields.push_back(summary.n ? std::to_string(*summary.n) : "");
    fields.push_back(timing ? number(summary.median) : "");
    for (const auto& value : {summary.mean, summary.min, summary.max, summary.p10, summary.p90})
        fields.push_back(number(value));
    const auto& interval = shown.median_interval;
    fields.push_back(interval ? number(interval->first) : "");
    fields.push_back(interval ? number(interval->second) : "");
}

std::string names() {
    std::string line = "backend,device,pool,walk,key,bs,tokens,region,timed,calls";
    for (const char* const kind : {"eager", "replay"}) {
        line += fmt::format(",{}_n", kind);
        for (const char* const figure :
             {"median", "mean", "min", "max", "p10", "p90", "median_low", "median_high"})
            line += fmt::format(",{}_{}_us", kind, figure);
    }
    return line + ",ratio,failure_class,failure_phase,failure_reason\n";
}

}  // namespace

std::string to_csv(const Timings& timings) {
    std::string csv = names();
    for (const BucketTiming& bucket : timings.buckets) {
        std::vector<std::string> fields{csv_field(timings.provenance.backend),
                                        csv_field(timings.provenance.device),
                                        csv_field(bucket.pool),
                                        csv_field(bucket.id.walk),
                                        csv_field(bucket.id.key.value_or("")),
                                        std::to_string(bucket.id.bs),
                                        std::to_string(bucket.id.tokens),
                                        bucket.is_region ? "yes" : "no",
                                        timed_by(bucket),
                                        std::to_string(bucket.calls)};
        add_timing(fields, bucket.eager);
        add_timing(fields, bucket.replay);
        fields.push_back(number(bucket.ratio()));
        const auto& failure = bucket.failure;
        fields.emplace_back(failure && failure->kind ? to_string(*failure->kind) : "");
        fields.push_back(failure ? csv_field(failure->phase) : "");
        fields.push_back(failure ? csv_field(failure->reason) : "");
        csv += fmt::format("{}\n", fmt::join(fields, ","));
    }
    return csv;
}

}  // namespace graphplan::cli
