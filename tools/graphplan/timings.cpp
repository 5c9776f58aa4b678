#include "timings.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace graphplan::cli {
namespace {

using Json = nlohmann::ordered_json;

Json provenance_json(const Provenance& provenance) {
    Json json{{"tool_version", provenance.tool_version},
              {"git_revision", provenance.git_revision},
              {"backend", provenance.backend},
              {"device", {{"name", provenance.device}}}};
    if (provenance.device_total_bytes) json["device"]["total_bytes"] = *provenance.device_total_bytes;
    if (!provenance.driver.empty()) json["driver"] = provenance.driver;
    if (!provenance.libraries.empty()) json["libraries"] = provenance.libraries;
    for (const auto& [input, digest] : provenance.input_sha256) json[input + "_sha256"] = digest;
    if (!provenance.time.empty()) json["time"] = provenance.time;
    return json;
}

Provenance read_provenance(const Json& json) {
    Provenance provenance;
    provenance.tool_version = json.at("tool_version");
    provenance.git_revision = json.at("git_revision");
    provenance.backend = json.at("backend");
    provenance.device = json.at("device").at("name");
    if (json.at("device").contains("total_bytes"))
        provenance.device_total_bytes = json.at("device").at("total_bytes").get<Bytes>();
    provenance.driver = json.value("driver", "");
    provenance.libraries = json.value("libraries", std::map<std::string, std::string>{});
    for (const char* const input : {"model", "buckets"}) {
        const std::string key = std::string(input) + "_sha256";
        if (json.contains(key)) provenance.input_sha256[input] = json.at(key);
    }
    provenance.time = json.value("time", "");
    return provenance;
}

Json timing_json(const std::optional<Timing>& timing) {
    if (!timing) return nullptr;
    const TimeSummary& summary = timing->summary;
    Json json{{"n", summary.n.value_or(0)},       {"median", summary.median},
              {"mean", summary.mean.value_or(0)}, {"min", summary.min.value_or(0)},
              {"max", summary.max.value_or(0)},   {"p10", summary.p10.value_or(0)},
              {"p90", summary.p90.value_or(0)}};
    if (timing->median_interval)
        json["median_interval"] = {timing->median_interval->first, timing->median_interval->second};
    return json;
}

std::optional<Timing> read_timing(const Json& json) {
    if (json.is_null()) return std::nullopt;
    Timing timing;
    timing.summary.n = json.at("n").get<std::int64_t>();
    timing.summary.median = json.at("median");
    timing.summary.mean = json.at("mean").get<double>();
    timing.summary.min = json.at("min").get<double>();
    timing.summary.max = json.at("max").get<double>();
    timing.summary.p10 = json.at("p10").get<double>();
    timing.summary.p90 = json.at("p90").get<double>();
    if (json.contains("median_interval"))
        timing.median_interval = json.at("median_interval").get<std::pair<double, double>>();
    return timing;
}

Json failure_json(const std::optional<TimingFailure>& failure) {
    if (!failure) return nullptr;
    return {{"class", failure->kind ? Json(to_string(*failure->kind)) : Json()},
            {"phase", failure->phase},
            {"reason", failure->reason},
            {"message", failure->message}};
}

std::optional<TimingFailure> read_failure(const Json& json) {
    if (json.is_null()) return std::nullopt;
    TimingFailure failure{{}, json.at("phase"), json.at("reason"), json.at("message")};
    for (const FailureClass kind : {FailureClass::recoverable, FailureClass::fatal, FailureClass::poisoned}) {
        if (json.at("class") == to_string(kind)) failure.kind = kind;
    }
    return failure;
}

Json clocks_json(const ClockState& clocks) {
    Json json = Json::object();
    if (clocks.sm_mhz) json["sm_mhz"] = *clocks.sm_mhz;
    if (clocks.memory_mhz) json["memory_mhz"] = *clocks.memory_mhz;
    if (!clocks.held_down_by.empty()) json["held_down_by"] = clocks.held_down_by;
    return json;
}

ClockState read_clocks(const Json& json) {
    ClockState clocks;
    if (json.contains("sm_mhz")) clocks.sm_mhz = json.at("sm_mhz").get<std::int64_t>();
    if (json.contains("memory_mhz")) clocks.memory_mhz = json.at("memory_mhz").get<std::int64_t>();
    clocks.held_down_by = json.value("held_down_by", std::vector<std::string>{});
    return clocks;
}

Json bucket_json(const BucketTiming& bucket) {
    Json json{{"pool", bucket.pool},
              {"walk", bucket.id.walk},
              {"key", bucket.id.key ? Json(*bucket.id.key) : Json()},
              {"bs", bucket.id.bs},
              {"tokens", bucket.id.tokens},
              {"region", bucket.is_region ? Json(bucket.id.walk) : Json()},
              {"timed", timed_by(bucket)},
              {"calls", bucket.calls},
              {"eager_us", timing_json(bucket.eager)},
              {"replay_us", timing_json(bucket.replay)},
              {"ratio", bucket.ratio() ? Json(*bucket.ratio()) : Json()},
              {"failure", failure_json(bucket.failure)}};
    if (Json clocks = clocks_json(bucket.clocks); !clocks.empty()) json["clocks"] = std::move(clocks);
    return json;
}

BucketTiming read_bucket(const Json& json) {
    BucketTiming bucket;
    bucket.pool = json.at("pool");
    bucket.id = {json.at("walk"), {}, json.at("bs"), json.at("tokens")};
    if (!json.at("key").is_null()) bucket.id.key = json.at("key").get<std::string>();
    bucket.is_region = !json.at("region").is_null();
    bucket.calls = json.at("calls");
    bucket.eager = read_timing(json.at("eager_us"));
    bucket.replay = read_timing(json.at("replay_us"));
    bucket.failure = read_failure(json.at("failure"));
    bucket.clocks = read_clocks(json.value("clocks", Json::object()));
    return bucket;
}

}  // namespace

std::string timed_by(const BucketTiming& timing) {
    if (timing.replay) return "graph";
    return timing.eager ? "direct" : "none";
}

std::string to_document(const Timings& timings) {
    Json buckets = Json::array();
    for (const BucketTiming& bucket : timings.buckets) buckets.push_back(bucket_json(bucket));
    const Json document{{"schema", "graphplan.timings"},
                        {"schema_version", "1.0"},
                        {"provenance", provenance_json(timings.provenance)},
                        {"warmup_us", timings.options.warmup_us},
                        {"budget_us", timings.options.budget_us},
                        {"replays", timings.options.replays},
                        {"flush_l2", timings.options.flush_l2},
                        {"buckets_left", timings.left},
                        {"buckets_lost", timings.lost},
                        {"buckets", std::move(buckets)}};
    // What a driver says need not be UTF-8.
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Timings parse_timings(const std::string& text) {
    try {
        const Json document = Json::parse(text);
        Timings timings;
        timings.provenance = read_provenance(document.at("provenance"));
        timings.options.warmup_us = document.at("warmup_us");
        timings.options.budget_us = document.at("budget_us");
        timings.options.replays = document.at("replays");
        timings.options.flush_l2 = document.at("flush_l2");
        timings.left = document.at("buckets_left");
        for (const Json& bucket : document.at("buckets")) timings.buckets.push_back(read_bucket(bucket));
        return timings;
    } catch (const Json::exception& error) {
        throw Error(
            ErrorCode::internal,
            fmt::format("a process of this program wrote no timings: {}; please report it", error.what()));
    }
}

void add_times(Costs& costs, const Timings& timings) {
    for (const BucketTiming& timing : timings.buckets) {
        for (PoolCosts& pool : costs.pools) {
            if (pool.name != timing.pool) continue;
            const auto bucket =
                std::find_if(pool.buckets.begin(), pool.buckets.end(), [&](const BucketCost& b) {
                    return b.id == timing.id && b.region.has_value() == timing.is_region;
                });
            if (bucket == pool.buckets.end()) continue;
            if (timing.eager) bucket->eager_us = timing.eager->summary;
            if (timing.replay) bucket->replay_us = timing.replay->summary;
        }
    }
}

}  // namespace graphplan::cli
