#include <string>

#include "documents/write_common.hpp"
#include "graphplan/documents.hpp"

namespace graphplan {
namespace documents {
namespace {

using Layout = JsonWriter::Layout;

void write_sizes(JsonWriter& json, std::string_view key, const std::vector<std::int64_t>& sizes) {
    json.key(key);
    json.begin_list(Layout::line);
    for (const std::int64_t size : sizes) json.value(size);
    json.end_list();
}

void write_walks(JsonWriter& json, const CaptureConfig& capture) {
    if (capture.replay_walks.empty() || capture.replay_walks == std::vector{capture.walk}) return;
    json.key("replay_walks");
    json.begin_list(Layout::line);
    for (const std::string& walk : capture.replay_walks) json.value(std::string_view(walk));
    json.end_list();
}

/// What has its default is left out.
void write_capture(JsonWriter& json, const CaptureConfig& capture) {
    const bool packed = capture.kind == CaptureKind::packed;
    json.begin_object(Layout::lines);
    json.member("node", std::string_view(capture.node));
    json.member(capture.is_region ? "region" : "walk", std::string_view(capture.walk));
    json.optional("key", capture.key);
    json.member("kind", std::string_view(packed ? "packed" : "batched"));
    write_sizes(json, "batch_sizes", capture.batch_sizes);
    if (packed) {
        write_sizes(json, "token_lengths", capture.token_lengths);
    } else if (capture.tokens_per_request != 1) {
        json.member("tokens_per_request", capture.tokens_per_request);
    }
    if (capture.tokens_multiplier != 1) json.member("tokens_multiplier", capture.tokens_multiplier);
    if (capture.slots != 1) json.member("slots", capture.slots);
    write_walks(json, capture);
    if (!capture.caps_eager_batch_size) json.member("caps_eager_batch_size", false);
    if (capture.denied) json.member("capture", std::string_view("deny"));
    json.end_object();
}

}  // namespace
}  // namespace documents

std::string to_json(const Buckets& buckets) {
    using namespace documents;
    JsonWriter json;
    begin_document(json, "buckets");
    json.key("captures");
    json.begin_list(JsonWriter::Layout::lines);
    for (const CaptureConfig& capture : buckets.captures) write_capture(json, capture);
    json.end_list();
    json.end_object();
    return json.finish();
}

}  // namespace graphplan
