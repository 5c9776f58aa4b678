#include "documents_json.hpp"

namespace graphplan::cli {
namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

}  // namespace

Json begin_result(std::string_view kind, Outputs outputs) {
    const bool shared = outputs == Outputs::shared;
    Json document{{"schema", "graphplan." + std::string(kind)}, {"schema_version", shared ? "1.1" : "1.0"}};
    if (shared) document["outputs"] = to_string(outputs);
    return document;
}

Json bucket_json(const std::string& pool, const BucketKey& id) {
    return {{"pool", pool},
            {"walk", id.walk},
            {"key", id.key ? Json(*id.key) : Json()},
            {"bs", id.bs},
            {"tokens", id.tokens}};
}

void add_place(Json& document, const Capabilities& device, const Difference& difference) {
    document["simulated"] = device.backend == "sim";
    document["backend"] = device.backend;
    document["device"] = device.name;
    document["driver"] = device.driver;
    document["matches_plan"] = !difference.matters();
    document["differences"] = Json::array();
    for (const Change& change : difference.changes) {
        document["differences"].push_back({{"kind", to_string(change.kind)},
                                           {"where", change.where},
                                           {"what", change.what},
                                           {"planned", text_or_null(change.before)},
                                           {"here", text_or_null(change.after)}});
    }
}

Json dropped_json(const std::vector<DroppedBucket>& dropped) {
    Json list = Json::array();
    for (const DroppedBucket& bucket : dropped) {
        Json json = bucket_json(bucket.pool, bucket.id);
        json["kind"] = to_string(bucket.failure.kind);
        json["reason"] = bucket.failure.reason;
        list.push_back(json);
    }
    return list;
}

}  // namespace graphplan::cli
