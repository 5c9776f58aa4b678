#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "documents/common.hpp"
#include "documents/costs_parts.hpp"
#include "documents/distinct.hpp"
#include "documents/envelope.hpp"
#include "documents/events.hpp"
#include "graphplan/documents.hpp"

namespace graphplan {
namespace documents {
namespace {

std::optional<TimeSummary> read_times(Fields& fields, std::string_view key) {
    const std::optional<Value> value = fields.optional(key);
    if (!value) return std::nullopt;
    Fields parts(*value, "an object of median, mean, min, max in microseconds");
    const auto number = [&](std::string_view part) -> std::optional<double> {
        const std::optional<Value> found = parts.optional(part);
        if (!found) return std::nullopt;
        const double us = found->number();
        if (us < 0) found->expected("microseconds, at least 0");
        return us;
    };
    TimeSummary times;
    times.n = read_optional_integer(parts, "n");
    const std::optional<double> median = number("median");
    if (!median) value->fail("\"median\" is missing");
    times.median = *median;
    times.mean = number("mean");
    times.min = number("min");
    times.max = number("max");
    times.p10 = number("p10");
    times.p90 = number("p90");
    parts.finish();
    return times;
}

// "KIND: words"; other words are a capture's.
std::optional<Failure> read_failure(Fields& fields) {
    const std::optional<Value> value = fields.optional("failure");
    if (!value) return std::nullopt;
    const std::string_view text = value->text();
    for (const auto kind : {Failure::Kind::denied, Failure::Kind::resource, Failure::Kind::capture,
                            Failure::Kind::instantiate}) {
        const std::string_view word = to_string(kind);
        if (!text.starts_with(word)) continue;
        std::string_view rest = text.substr(word.size());
        if (rest.empty()) return Failure{kind, ""};
        if (!rest.starts_with(':')) continue;
        rest.remove_prefix(rest.starts_with(": ") ? 2 : 1);
        return Failure{kind, std::string(rest)};
    }
    return Failure{Failure::Kind::capture, std::string(text)};
}

std::optional<SizedBy> read_sized_by(Fields& fields) {
    const std::optional<Value> value = fields.optional("sized_by");
    if (!value) return std::nullopt;
    constexpr std::pair<std::string_view, SizedBy> words[] = {{"capture", SizedBy::capture},
                                                              {"lend", SizedBy::lend}};
    return read_word(*value, words);
}

std::optional<Bytes> read_graph_bytes(Fields& fields) {
    const Value value = fields.required("graph_bytes");
    return value.is_null() ? std::nullopt : std::optional(value.integer());
}

std::optional<std::size_t> read_trace_index(Fields& fields, std::size_t traces) {
    const std::optional<Value> value = fields.optional("trace");
    if (!value) return std::nullopt;
    if (traces == 0) value->fail("a bucket names a trace, but the document has none");
    return static_cast<std::size_t>(value->integer(0, static_cast<std::int64_t>(traces) - 1));
}

BucketCost read_bucket(const Value& value, std::size_t traces) {
    Fields fields(value, "a bucket, which is an object");
    BucketCost bucket;
    bucket.id = read_bucket_key(fields);
    bucket.peak_bytes = fields.required("peak_bytes").integer();
    bucket.graph_bytes = read_graph_bytes(fields);
    const Value kept = fields.required("kept_bytes");
    bucket.kept_bytes = kept.integer();
    if (bucket.graph_bytes && bucket.kept_bytes > *bucket.graph_bytes) {
        kept.fail(fmt::format("kept_bytes are part of graph_bytes: expected at most {}, found {}",
                              *bucket.graph_bytes, bucket.kept_bytes));
    }
    bucket.slots = read_integer_or(fields, "slots", 1, 1);
    bucket.outside_bytes = read_integer_or(fields, "outside_bytes", 0);
    bucket.region = read_optional_name(fields, "region");
    bucket.nodes = read_optional_integer(fields, "nodes");
    bucket.sized_by = read_sized_by(fields);
    bucket.failure = read_failure(fields);
    bucket.trace = read_trace_index(fields, traces);
    bucket.eager_us = read_times(fields, "eager_us");
    bucket.replay_us = read_times(fields, "replay_us");
    fields.finish();
    return bucket;
}

PoolCosts read_pool(const Value& value, std::size_t traces) {
    Fields fields(value, "a pool, which is an object");
    PoolCosts pool;
    pool.name = fields.required("name").name();
    const auto buckets = fields.required("buckets").non_empty_items("buckets");
    pool.buckets.reserve(buckets.size);
    DistinctBuckets distinct;
    for (const Value bucket : buckets) {
        pool.buckets.push_back(read_bucket(bucket, traces));
        distinct.add(pool.buckets.back().id, bucket);
    }
    fields.finish();
    return pool;
}

std::vector<EventTrace> read_traces(Fields& root) {
    std::vector<EventTrace> traces;
    const std::optional<Value> list = root.defaulted("traces");
    if (!list) return traces;
    for (const Value value : list->items("traces")) {
        Fields fields(value, "a trace, which is an object with events");
        LiveIds live;
        traces.push_back(read_events(fields.required("events"), live));
        fields.finish();
    }
    return traces;
}

std::vector<PoolCosts> read_pools(const Value& list, std::size_t traces) {
    const auto items = list.non_empty_items("pools");
    std::vector<PoolCosts> pools;
    pools.reserve(items.size);
    DistinctNames distinct;
    for (const Value item : items) {
        pools.push_back(read_pool(item, traces));
        distinct.add(pools.back().name, "pool", item);
    }
    return pools;
}

}  // namespace
}  // namespace documents

Costs parse_costs(const DocumentText& text, const ReadOptions& options) {
    using namespace documents;
    Document document(text, options);
    Fields root = open_envelope(document, "costs");
    Costs costs;
    costs.source = text.name;
    costs.provenance = read_provenance(root);
    costs.free_bytes = read_optional_integer(root, "free_bytes");
    costs.free_bytes_before = read_optional_integer(root, "free_bytes_before");
    costs.one_off_bytes = read_integer_or(root, "one_off_bytes", 0);
    costs.allocator = read_allocator(root);
    const Value pools = root.required("pools");
    const std::optional<Value> walks = root.defaulted("walks");
    costs.traces = read_traces(root);
    costs.pools = read_pools(pools, costs.traces.size());
    if (walks) costs.walks = read_walk_costs(*walks, costs);
    check_sums(pools, costs);
    root.finish();
    document.finish();
    return costs;
}

}  // namespace graphplan
