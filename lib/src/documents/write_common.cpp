#include "documents/write_common.hpp"

#include <string>

namespace graphplan::documents {

using Layout = JsonWriter::Layout;

void begin_document(JsonWriter& json, std::string_view kind, std::string_view version) {
    json.begin_object(Layout::lines);
    json.member("schema", "graphplan." + std::string(kind));
    json.member("schema_version", version);
}

void write_provenance(JsonWriter& json, const Provenance& provenance) {
    if (provenance == Provenance{}) return;
    json.key("provenance");
    json.begin_object(Layout::lines);
    json.optional("tool_version", provenance.tool_version);
    json.optional("git_revision", provenance.git_revision);
    json.optional("backend", provenance.backend);
    if (!provenance.device.empty() || provenance.device_total_bytes) {
        json.key("device");
        json.begin_object(Layout::line);
        json.optional("name", provenance.device);
        json.optional("total_bytes", provenance.device_total_bytes);
        json.end_object();
    }
    json.optional("driver", provenance.driver);
    json.optional("framework", provenance.framework);
    if (!provenance.libraries.empty()) {
        json.key("libraries");
        json.begin_object(Layout::line);
        for (const auto& [name, version] : provenance.libraries) json.member(name, std::string_view(version));
        json.end_object();
    }
    for (const std::string_view input : {"model", "buckets", "costs", "traffic"}) {
        const auto digest = provenance.input_sha256.find(std::string(input));
        if (digest != provenance.input_sha256.end()) {
            json.member(std::string(input) + "_sha256", std::string_view(digest->second));
        }
    }
    json.optional("time", provenance.time);
    json.end_object();
}

void write_allocator(JsonWriter& json, const AllocatorOptions& options) {
    json.key("allocator");
    json.begin_object(JsonWriter::Layout::line);
    json.member("policy", "torch");
    json.key("options");
    json.begin_object(JsonWriter::Layout::line);
    if (options.expandable_segments) json.member("expandable_segments", true);
    json.optional("max_split_size_mb", options.max_split_size_mb);
    if (options.roundup_power2_divisions != 0) {
        json.member("roundup_power2_divisions", options.roundup_power2_divisions);
    }
    json.end_object();
    json.end_object();
}

void write_bucket_key(JsonWriter& json, const BucketKey& id) {
    json.member("walk", std::string_view(id.walk));
    json.nullable("key", id.key);
    json.member("bs", id.bs);
    json.member("tokens", id.tokens);
}

}  // namespace graphplan::documents
