#include <string>
#include <vector>

#include "documents/common.hpp"
#include "documents/envelope.hpp"
#include "documents/events.hpp"
#include "graphplan/documents.hpp"

namespace graphplan {
namespace documents {
namespace {

// Where a recording comes from: words for people, which nothing depends on.
void check_source(Fields& root) {
    const std::optional<Value> value = root.optional("source");
    if (!value) return;
    Fields parts(*value, "an object of framework, device and case");
    for (const std::string_view key : {"framework", "device", "case"}) {
        if (const auto part = parts.optional(key)) part->text();
    }
    parts.finish();
}

std::vector<SegmentRecord> read_segments(const Value& list) {
    const auto items = list.items("segments, each [address, bytes]");
    std::vector<SegmentRecord> segments;
    segments.reserve(items.size);
    for (const Value item : items) {
        const auto parts = item.items("an address and bytes");
        if (parts.size != 2) item.expected("[address, bytes]");
        auto part = parts.begin();
        SegmentRecord segment;
        segment.address = static_cast<Address>((*part).integer(0, INT64_MAX));
        segment.bytes = (*++part).integer(1);
        segments.push_back(segment);
    }
    return segments;
}

std::optional<Bytes> read_observed(Fields& fields) {
    const std::optional<Value> value = fields.optional("observed");
    if (!value) return std::nullopt;
    Fields parts(*value, "null or an object with pool_bytes_after");
    const std::optional<Bytes> bytes = read_optional_integer(parts, "pool_bytes_after");
    read_optional_integer(parts, "segments_after");
    // Free memory of a device may rise meanwhile.
    read_optional_integer(parts, "free_drop_bytes", -kMaxInteger);
    read_optional_integer(parts, "instantiate_drop_bytes", -kMaxInteger);
    parts.finish();
    return bytes;
}

TraceCapture read_capture(const Value& value, LiveIds& live) {
    Fields fields(value, "a capture, which is an object");
    TraceCapture capture;
    capture.pool = fields.required("pool").name();
    capture.id = read_bucket_key(fields);
    capture.slot = read_integer_or(fields, "slot", 0);
    capture.eager_peak_bytes = read_optional_integer(fields, "eager_peak_bytes");
    capture.kept_bytes = read_optional_integer(fields, "kept_bytes");
    capture.nodes = read_optional_integer(fields, "nodes");
    capture.events = read_events(fields.required("events"), live);
    if (const auto segments = fields.optional("segments")) capture.segments = read_segments(*segments);
    capture.observed_pool_bytes_after = read_observed(fields);
    fields.finish();
    return capture;
}

}  // namespace
}  // namespace documents

Trace parse_trace(const DocumentText& text, const ReadOptions& options) {
    using namespace documents;
    Document document(text, options);
    Fields root = open_envelope(document, "trace");
    Trace trace;
    trace.source = text.name;
    trace.allocator = read_allocator(root);
    check_source(root);
    LiveIds live;
    const auto captures = root.required("captures").non_empty_items("captures");
    trace.captures.reserve(captures.size);
    for (const Value capture : captures) trace.captures.push_back(read_capture(capture, live));
    root.finish();
    document.finish();
    return trace;
}

}  // namespace graphplan
