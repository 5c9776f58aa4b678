#include <string>

#include "documents/write_common.hpp"
#include "graphplan/documents.hpp"

namespace graphplan {
namespace documents {
namespace {

using Layout = JsonWriter::Layout;

void write_budget(JsonWriter& json, const Budget& budget) {
    json.key("budget");
    json.begin_object(Layout::lines);
    json.member("free_bytes", budget.free_bytes);
    json.member("source", std::string_view(budget.source));
    json.optional("fraction", budget.fraction);
    json.member("floor_bytes", budget.floor_bytes);
    json.member("one_off_bytes", budget.one_off_bytes);
    json.member("room_bytes", budget.room_bytes);
    json.member("room_left_bytes", budget.room_left_bytes);
    json.end_object();
}

void write_expected(JsonWriter& json, std::string_view key, const std::optional<Expected>& expected) {
    if (!expected) return;
    json.key(key);
    json.begin_object(Layout::line);
    json.member("step_us", expected->step_us);
    json.member("hit_rate", expected->hit_rate);
    json.member("padding_waste", expected->padding_waste);
    json.nullable("gap", expected->gap);
    json.member("beyond_ladder_weight", expected->beyond_ladder_weight);
    json.end_object();
}

void write_capture(JsonWriter& json, const PlannedCapture& capture) {
    json.begin_object(Layout::line);
    write_bucket_key(json, capture.id);
    json.optional("region", capture.region);
    json.member("slots", capture.slots);
    json.member("added_bytes", capture.added_bytes);
    json.member("chosen", capture.chosen);
    json.end_object();
}

void write_eager(JsonWriter& json, const EagerBucket& bucket) {
    json.begin_object(Layout::line);
    write_bucket_key(json, bucket.id);
    json.optional("region", bucket.region);
    json.member("reason", to_string(bucket.reason));
    json.optional("needs_bytes", bucket.needs_bytes);
    json.optional("short_bytes", bucket.short_bytes);
    json.optional("rank", bucket.rank);
    json.optional("detail", bucket.detail);
    json.end_object();
}

void write_buffers(JsonWriter& json, const std::vector<OutputBuffer>& buffers) {
    json.key("output_buffers");
    json.begin_list(Layout::lines);
    for (const OutputBuffer& buffer : buffers) {
        json.begin_object(Layout::line);
        json.member("walk", std::string_view(buffer.walk));
        json.nullable("key", buffer.key);
        json.member("slots", buffer.slots);
        json.member("slot_bytes", buffer.slot_bytes);
        json.member("bytes", buffer.bytes);
        json.end_object();
    }
    json.end_list();
}

void write_pool(JsonWriter& json, const PoolPlan& pool, Outputs outputs) {
    json.begin_object(Layout::lines);
    json.member("name", std::string_view(pool.name));
    json.member("predicted_bytes", pool.predicted_bytes);
    json.optional("predicted_bytes_ascending", pool.predicted_bytes_ascending);
    json.member("outside_bytes", pool.outside_bytes);
    if (outputs == Outputs::shared) write_buffers(json, pool.output_buffers);
    json.key("captures");
    json.begin_list(Layout::lines);
    for (const PlannedCapture& capture : pool.captures) write_capture(json, capture);
    json.end_list();
    json.key("eager");
    json.begin_list(Layout::lines);
    for (const EagerBucket& bucket : pool.eager) write_eager(json, bucket);
    json.end_list();
    json.end_object();
}

void write_ranks(JsonWriter& json, const std::vector<RankPlan>& ranks) {
    if (ranks.empty()) return;
    json.key("ranks");
    json.begin_list(Layout::lines);
    for (const RankPlan& rank : ranks) {
        json.begin_object(Layout::lines);
        write_budget(json, rank.budget);
        json.optional("costs_sha256", rank.costs_sha256);
        json.end_object();
    }
    json.end_list();
}

bool has_options(const Plan& plan) { return plan.allocator && *plan.allocator != AllocatorOptions{}; }

/// The lowest version that has all that the plan says: older readers take the others as ever.
const char* version_of(const Plan& plan) {
    if (plan.outputs == Outputs::shared || has_options(plan)) return "1.2";
    return plan.expected ? "1.1" : "1.0";
}

}  // namespace
}  // namespace documents

std::string to_json(const Plan& plan) {
    using namespace documents;
    JsonWriter json;
    begin_document(json, "plan", version_of(plan));
    write_provenance(json, plan.provenance);
    write_budget(json, plan.budget);
    if (has_options(plan)) write_allocator(json, *plan.allocator);
    json.member("memory_model", to_string(plan.memory_model));
    if (plan.outputs == Outputs::shared) json.member("outputs", to_string(plan.outputs));
    json.member("objective", std::string_view(plan.objective));
    write_expected(json, "expected", plan.expected);
    write_expected(json, "expected_by_count", plan.expected_by_count);
    json.key("pools");
    json.begin_list(JsonWriter::Layout::lines);
    for (const PoolPlan& pool : plan.pools) write_pool(json, pool, plan.outputs);
    json.end_list();
    write_ranks(json, plan.ranks);
    json.end_object();
    return json.finish();
}

}  // namespace graphplan
