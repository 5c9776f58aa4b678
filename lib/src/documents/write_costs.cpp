#include <string>

#include "documents/write_common.hpp"
#include "graphplan/documents.hpp"

namespace graphplan {
namespace documents {
namespace {

using Layout = JsonWriter::Layout;

void write_times(JsonWriter& json, std::string_view key, const std::optional<TimeSummary>& times) {
    if (!times) return;
    json.key(key);
    json.begin_object(Layout::line);
    json.optional("n", times->n);
    json.member("median", times->median);
    json.optional("mean", times->mean);
    json.optional("min", times->min);
    json.optional("max", times->max);
    json.optional("p10", times->p10);
    json.optional("p90", times->p90);
    json.end_object();
}

std::optional<std::string> failure_text(const std::optional<Failure>& failure) {
    if (!failure) return std::nullopt;
    return std::string(to_string(failure->kind)) + ": " + failure->reason;
}

void write_bucket(JsonWriter& json, const BucketCost& bucket) {
    json.begin_object(Layout::line);
    write_bucket_key(json, bucket.id);
    json.member("peak_bytes", bucket.peak_bytes);
    json.nullable("graph_bytes", bucket.graph_bytes);
    json.member("kept_bytes", bucket.kept_bytes);
    json.member("slots", bucket.slots);
    json.member("outside_bytes", bucket.outside_bytes);
    json.optional("region", bucket.region);
    json.optional("nodes", bucket.nodes);
    if (bucket.sized_by) json.member("sized_by", *bucket.sized_by == SizedBy::lend ? "lend" : "capture");
    json.optional("failure", failure_text(bucket.failure));
    if (bucket.trace) json.member("trace", static_cast<std::int64_t>(*bucket.trace));
    write_times(json, "eager_us", bucket.eager_us);
    write_times(json, "replay_us", bucket.replay_us);
    json.end_object();
}

void write_pools(JsonWriter& json, const std::vector<PoolCosts>& pools) {
    json.key("pools");
    json.begin_list(Layout::lines);
    for (const PoolCosts& pool : pools) {
        json.begin_object(Layout::lines);
        json.member("name", std::string_view(pool.name));
        json.key("buckets");
        json.begin_list(Layout::lines);
        for (const BucketCost& bucket : pool.buckets) write_bucket(json, bucket);
        json.end_list();
        json.end_object();
    }
    json.end_list();
}

void write_walk(JsonWriter& json, const WalkCosts& walk) {
    json.begin_object(Layout::line);
    json.member("pool", std::string_view(walk.pool));
    json.member("walk", std::string_view(walk.walk));
    json.nullable("key", walk.key);
    json.key("executable");
    json.begin_object(Layout::line);
    json.optional("nodes", walk.nodes);
    json.optional("bytes_per_node", walk.bytes_per_node);
    json.member("held_bytes", walk.held_bytes);
    json.member("copies", walk.copies);
    if (!walk.curve_bytes.empty()) {
        json.key("curve_bytes");
        json.begin_list(Layout::line);
        for (const Bytes bytes : walk.curve_bytes) json.value(bytes);
        json.end_list();
    }
    json.end_object();
    json.end_object();
}

void write_event(JsonWriter& json, const TraceEvent& event) {
    json.begin_list(Layout::line);
    json.value(event.allocates ? "a" : "f");
    json.value(event.id);
    if (event.allocates) json.value(event.bytes);
    if (event.tag == EventTag::output) json.value("output");
    if (event.tag == EventTag::workspace) json.value("workspace");
    json.end_list();
}

// A trace stands on one line: there are thousands of events, and nobody reads them one by one.
void write_traces(JsonWriter& json, const std::vector<EventTrace>& traces) {
    if (traces.empty()) return;
    json.key("traces");
    json.begin_list(Layout::lines);
    for (const EventTrace& trace : traces) {
        json.begin_object(Layout::line);
        json.key("events");
        json.begin_list(Layout::line);
        for (const TraceEvent& event : trace) write_event(json, event);
        json.end_list();
        json.end_object();
    }
    json.end_list();
}

}  // namespace
}  // namespace documents

std::string to_json(const Costs& costs) {
    using namespace documents;
    JsonWriter json;
    begin_document(json, "costs");
    write_provenance(json, costs.provenance);
    json.optional("free_bytes", costs.free_bytes);
    json.optional("free_bytes_before", costs.free_bytes_before);
    json.member("one_off_bytes", costs.one_off_bytes);
    write_allocator(json, costs.allocator);
    write_pools(json, costs.pools);
    if (!costs.walks.empty()) {
        json.key("walks");
        json.begin_list(JsonWriter::Layout::lines);
        for (const WalkCosts& walk : costs.walks) write_walk(json, walk);
        json.end_list();
    }
    write_traces(json, costs.traces);
    json.end_object();
    return json.finish();
}

}  // namespace graphplan
