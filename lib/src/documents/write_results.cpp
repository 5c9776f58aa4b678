#include <string>

#include "documents/write_common.hpp"
#include "graphplan/documents.hpp"

namespace graphplan {
namespace {

using documents::JsonWriter;
using Layout = JsonWriter::Layout;

void write_capture(JsonWriter& json, const SimulatedCapture& capture) {
    json.begin_object(Layout::line);
    json.member("pool", std::string_view(capture.pool));
    documents::write_bucket_key(json, capture.id);
    json.member("predicted_pool_bytes_after", capture.predicted_pool_bytes_after);
    json.nullable("observed_pool_bytes_after", capture.observed_pool_bytes_after);
    json.end_object();
}

void write_change(JsonWriter& json, const Change& change) {
    const auto text_or_null = [&](std::string_view key, const std::string& text) {
        json.key(key);
        text.empty() ? json.null() : json.value(std::string_view(text));
    };
    json.begin_object(Layout::line);
    json.member("kind", to_string(change.kind));
    json.member("where", std::string_view(change.where));
    json.member("what", std::string_view(change.what));
    text_or_null("before", change.before);
    text_or_null("after", change.after);
    json.member("matters", change.matters);
    json.end_object();
}

}  // namespace

std::string to_json(const Simulation& simulation) {
    JsonWriter json;
    documents::begin_document(json, "simulation");
    json.key("captures");
    json.begin_list(Layout::lines);
    for (const SimulatedCapture& capture : simulation.captures) write_capture(json, capture);
    json.end_list();
    json.member("predicted_bytes", simulation.predicted_bytes);
    json.nullable("observed_bytes", simulation.observed_bytes);
    json.nullable("error_bytes", simulation.error_bytes);
    json.end_object();
    return json.finish();
}

std::string to_json(const Difference& difference, std::string_view kind) {
    JsonWriter json;
    documents::begin_document(json, "diff", "1.1");
    json.member("kind", kind);
    json.member("equal", !difference.matters());
    json.key("changes");
    json.begin_list(Layout::lines);
    for (const Change& change : difference.changes) write_change(json, change);
    json.end_list();
    json.end_object();
    return json.finish();
}

int exit_code(ErrorCode code) noexcept {
    switch (code) {
        case ErrorCode::invalid_argument: return 2;
        case ErrorCode::invalid_document:
        case ErrorCode::unsupported_version:
        case ErrorCode::io: return 3;
        case ErrorCode::out_of_memory:
        case ErrorCode::device_unavailable:
        case ErrorCode::device: return 4;
        case ErrorCode::interrupted: return 130;
        case ErrorCode::internal: return 70;
    }
    return 70;
}

std::string to_json(const Error& error, std::string_view command) {
    JsonWriter json;
    documents::begin_document(json, "error");
    json.member("command", command);
    json.member("code", to_string(error.code()));
    json.member("exit_code", std::int64_t{exit_code(error.code())});
    json.member("message", error.what());
    json.end_object();
    return json.finish();
}

}  // namespace graphplan
