#include <limits>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "documents/common.hpp"
#include "documents/distinct.hpp"
#include "documents/envelope.hpp"
#include "graphplan/documents.hpp"

namespace graphplan {
namespace documents {
namespace {

// Sums over buckets may pass what a single field may hold.
Bytes read_sum(const Value& value) { return value.integer(0, INT64_MAX); }
Bytes read_signed(const Value& value) { return value.integer(INT64_MIN, INT64_MAX); }

std::optional<Bytes> read_optional_signed(Fields& fields, std::string_view key) {
    const std::optional<Value> value = fields.optional(key);
    return value ? std::optional(read_signed(*value)) : std::nullopt;
}

std::optional<Bytes> read_optional_sum(Fields& fields, std::string_view key) {
    const std::optional<Value> value = fields.optional(key);
    return value ? std::optional(read_sum(*value)) : std::nullopt;
}

Budget read_budget(const Value& value) {
    Fields fields(value, "a budget, which is an object");
    Budget budget;
    // A fraction of the device may be less than what is taken already.
    budget.free_bytes = read_signed(fields.required("free_bytes"));
    budget.source = fields.required("source").text();
    if (const auto fraction = fields.optional("fraction")) {
        budget.fraction = fraction->number();
        if (*budget.fraction <= 0 || *budget.fraction > 1)
            fraction->expected("a number more than 0, at most 1");
    }
    budget.floor_bytes = read_sum(fields.required("floor_bytes"));
    budget.one_off_bytes = read_sum(fields.required("one_off_bytes"));
    budget.room_bytes = read_signed(fields.required("room_bytes"));
    budget.room_left_bytes = read_signed(fields.required("room_left_bytes"));
    fields.finish();
    return budget;
}

PlannedCapture read_capture(const Value& value) {
    Fields fields(value, "a planned capture, which is an object");
    PlannedCapture capture;
    capture.id = read_bucket_key(fields);
    capture.region = read_optional_name(fields, "region");
    capture.slots = fields.required("slots").integer(1);
    capture.added_bytes = read_signed(fields.required("added_bytes"));
    capture.chosen = fields.required("chosen").integer();
    fields.finish();
    return capture;
}

EagerReason read_reason(const Value& value) {
    constexpr std::pair<std::string_view, EagerReason> words[] = {
        {"does_not_fit", EagerReason::does_not_fit}, {"floor_does_not_fit", EagerReason::floor_does_not_fit},
        {"not_captured", EagerReason::not_captured}, {"denied", EagerReason::denied},
        {"not_worth_it", EagerReason::not_worth_it}, {"dropped_on_rank", EagerReason::dropped_on_rank}};
    return read_word(value, words);
}

EagerBucket read_eager(const Value& value) {
    Fields fields(value, "a bucket that stays eager, which is an object");
    EagerBucket bucket;
    bucket.id = read_bucket_key(fields);
    bucket.region = read_optional_name(fields, "region");
    bucket.reason = read_reason(fields.required("reason"));
    bucket.needs_bytes = read_optional_signed(fields, "needs_bytes");
    bucket.short_bytes = read_optional_signed(fields, "short_bytes");
    bucket.rank = read_optional_integer(fields, "rank");
    if (const auto detail = fields.optional("detail")) bucket.detail = detail->text();
    fields.finish();
    return bucket;
}

OutputBuffer read_buffer(const Value& value) {
    Fields fields(value, "a buffer for shared outputs, which is an object");
    OutputBuffer buffer;
    buffer.walk = fields.required("walk").name();
    buffer.key = read_optional_name(fields, "key");
    buffer.slots = fields.required("slots").integer(1);
    buffer.slot_bytes = read_sum(fields.required("slot_bytes"));
    const Value bytes = fields.required("bytes");
    buffer.bytes = read_sum(bytes);
    if (buffer.slot_bytes > buffer.bytes / buffer.slots) {
        bytes.expected(fmt::format("at least the {} slots of {} bytes", buffer.slots, buffer.slot_bytes));
    }
    fields.finish();
    return buffer;
}

/// A walk's buffers by its name and key: each once, with a slot for each of its graphs' slots.
class BufferSlots {
  public:
    void add(const OutputBuffer& buffer, const Value& place) {
        const auto [known, is_new] =
            buffers_.try_emplace(name(buffer.walk, buffer.key), Known{buffer.slots, place});
        if (is_new) return;
        place.fail(fmt::format("a buffer of walk {} stands twice, first at {}",
                               buffer.key ? fmt::format("{}[{}]", buffer.walk, *buffer.key) : buffer.walk,
                               known->second.place.pointer()));
    }

    void check(const PlannedCapture& capture) const {
        if (capture.region) return;
        const auto buffer = buffers_.find(name(capture.id.walk, capture.id.key));
        if (buffer == buffers_.end() || buffer->second.slots >= capture.slots) return;
        buffer->second.place.fail(fmt::format("it has {} slots, expected at least the {} of bucket {}",
                                              buffer->second.slots, capture.slots, to_string(capture.id)));
    }

  private:
    // No name holds a line feed, and none is empty.
    static std::string name(const std::string& walk, const std::optional<std::string>& key) {
        return walk + "\n" + key.value_or("");
    }
    struct Known {
        std::int64_t slots = 0;
        Value place;
    };
    std::map<std::string, Known> buffers_;
};

void read_buffers(Fields& fields, Outputs outputs, PoolPlan& pool) {
    const auto list = fields.optional("output_buffers");
    if (!list) return;
    if (outputs == Outputs::per_graph)
        list->fail("only a plan with \"outputs\": \"shared\" has them: say so, or leave them out");
    BufferSlots slots;
    Bytes left = pool.predicted_bytes;
    for (const Value item : list->items("buffers for shared outputs")) {
        pool.output_buffers.push_back(read_buffer(item));
        slots.add(pool.output_buffers.back(), item);
        const Bytes bytes = pool.output_buffers.back().bytes;
        if (bytes > left)
            item.fail(
                "the buffers up to this one take more than the pool's predicted_bytes, which hold them");
        left -= bytes;
    }
    for (const PlannedCapture& capture : pool.captures) slots.check(capture);
}

PoolPlan read_pool(const Value& value, Outputs outputs) {
    Fields fields(value, "a pool, which is an object");
    PoolPlan pool;
    pool.name = fields.required("name").name();
    pool.predicted_bytes = read_sum(fields.required("predicted_bytes"));
    pool.predicted_bytes_ascending = read_optional_sum(fields, "predicted_bytes_ascending");
    pool.outside_bytes = read_sum(fields.required("outside_bytes"));
    const auto captures = fields.required("captures").items("captures");
    const auto eager = fields.required("eager").items("buckets that stay eager");
    pool.captures.reserve(captures.size);
    pool.eager.reserve(eager.size);
    DistinctBuckets distinct;
    for (const Value item : captures) {
        pool.captures.push_back(read_capture(item));
        distinct.add(pool.captures.back().id, item);
    }
    for (const Value item : eager) {
        pool.eager.push_back(read_eager(item));
        distinct.add(pool.eager.back().id, item);
    }
    read_buffers(fields, outputs, pool);
    fields.finish();
    return pool;
}

RankPlan read_rank(const Value& value) {
    Fields fields(value, "a rank's figures, which are an object");
    RankPlan rank;
    rank.budget = read_budget(fields.required("budget"));
    if (const auto digest = fields.optional("costs_sha256")) rank.costs_sha256 = digest->text();
    fields.finish();
    return rank;
}

std::optional<Expected> read_expected(Fields& root, std::string_view key) {
    const std::optional<Value> value = root.optional(key);
    if (!value) return std::nullopt;
    const auto number = [](const Value& of, double most, const char* what) {
        const double found = of.number();
        if (found < 0 || found > most) of.expected(what);
        return found;
    };
    constexpr double no_limit = std::numeric_limits<double>::max();
    Fields fields(*value, "what steps are expected to take, which is an object");
    Expected expected;
    expected.step_us = number(fields.required("step_us"), no_limit, "a number, at least 0");
    expected.hit_rate = number(fields.required("hit_rate"), 1, "a number from 0 to 1");
    expected.padding_waste = number(fields.required("padding_waste"), 1, "a number from 0 to 1");
    if (const auto gap = fields.optional("gap")) expected.gap = number(*gap, 1, "a number from 0 to 1");
    expected.beyond_ladder_weight =
        number(fields.required("beyond_ladder_weight"), no_limit, "a number, at least 0");
    fields.finish();
    return expected;
}

Outputs read_outputs(Fields& root) {
    constexpr std::pair<std::string_view, Outputs> words[] = {{"per_graph", Outputs::per_graph},
                                                              {"shared", Outputs::shared}};
    const std::optional<Value> value = root.optional("outputs");
    return value ? read_word(*value, words) : Outputs::per_graph;
}

void read_pools(const Value& list, Plan& plan) {
    DistinctNames names;
    Bytes all = 0;
    for (const Value item : list.non_empty_items("pools")) {
        plan.pools.push_back(read_pool(item, plan.outputs));
        const PoolPlan& pool = plan.pools.back();
        names.add(pool.name, "pool", item);
        if (__builtin_add_overflow(all, pool.predicted_bytes, &all) ||
            __builtin_add_overflow(all, pool.outside_bytes, &all)) {
            item.fail("what the pools up to this one and their executables take together passes 2^63");
        }
    }
}

}  // namespace
}  // namespace documents

Plan parse_plan(const DocumentText& text, const ReadOptions& options) {
    using namespace documents;
    Document document(text, options);
    Fields root = open_envelope(document, "plan");
    Plan plan;
    plan.source = text.name;
    plan.provenance = read_provenance(root);
    plan.budget = read_budget(root.required("budget"));
    constexpr std::pair<std::string_view, MemoryModel> models[] = {{"segments", MemoryModel::segments},
                                                                   {"exact", MemoryModel::exact}};
    plan.memory_model = read_word(root.required("memory_model"), models);
    if (root.defaulted("allocator")) plan.allocator = read_allocator(root);
    plan.outputs = read_outputs(root);
    constexpr std::pair<std::string_view, std::string_view> objectives[] = {{"count", "count"},
                                                                            {"latency", "latency"}};
    plan.objective = read_word(root.required("objective"), objectives);
    plan.expected = read_expected(root, "expected");
    plan.expected_by_count = read_expected(root, "expected_by_count");
    read_pools(root.required("pools"), plan);
    if (const auto ranks = root.defaulted("ranks")) {
        for (const Value item : ranks->items("ranks")) plan.ranks.push_back(read_rank(item));
    }
    root.finish();
    document.finish();
    return plan;
}

}  // namespace graphplan
