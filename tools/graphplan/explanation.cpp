#include "explanation.hpp"

#include <algorithm>

#include <fmt/format.h>
#include "documents_json.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

bool is_wanted(const BucketKey& id, const std::optional<MustCapture>& only) {
    return !only || matches(*only, id);
}

std::string eager_words(const EagerBucket& bucket, const std::optional<std::int64_t>& more) {
    std::string words = reason_words(bucket);
    const bool is_other_rank = bucket.reason == EagerReason::dropped_on_rank;
    if (more) {
        words += fmt::format("; it fits beside this plan with {} MiB more free memory{}", *more,
                             is_other_rank ? " there" : "");
    }
    return words;
}

std::optional<std::int64_t> missing_mib(const EagerBucket& bucket) {
    const bool is_memory =
        bucket.reason == EagerReason::does_not_fit || bucket.reason == EagerReason::dropped_on_rank;
    if (!is_memory || !bucket.short_bytes || *bucket.short_bytes <= 0) return std::nullopt;
    return more_mib(*bucket.short_bytes);
}

Json budget_json(const Budget& budget) {
    Json json{{"free_bytes", budget.free_bytes}, {"source", budget.source}};
    if (budget.fraction) json["fraction"] = *budget.fraction;
    json["floor_bytes"] = budget.floor_bytes;
    json["one_off_bytes"] = budget.one_off_bytes;
    json["room_bytes"] = budget.room_bytes;
    json["used_bytes"] = budget.room_bytes - budget.room_left_bytes;
    json["room_left_bytes"] = budget.room_left_bytes;
    return json;
}

Json step_json(const ExplainedStep& step) {
    Json json = bucket_json(step.pool, step.capture.id);
    json["slots"] = step.capture.slots;
    json["chosen"] = step.capture.chosen;
    json["added_bytes"] = step.capture.added_bytes;
    json["used_bytes"] = step.used_bytes;
    json["room_left_bytes"] = step.room_left_bytes;
    return json;
}

Json eager_json(const ExplainedEager& eager) {
    Json json = bucket_json(eager.pool, eager.bucket.id);
    json["reason"] = to_string(eager.bucket.reason);
    if (eager.bucket.needs_bytes) json["needs_bytes"] = *eager.bucket.needs_bytes;
    if (eager.bucket.short_bytes) json["short_bytes"] = *eager.bucket.short_bytes;
    if (eager.more_mib) json["more_mib"] = *eager.more_mib;
    if (eager.bucket.rank) json["rank"] = *eager.bucket.rank;
    if (eager.bucket.detail) json["detail"] = *eager.bucket.detail;
    json["words"] = eager.words;
    return json;
}

Json buffers_json(const Plan& plan) {
    Json list = Json::array();
    for (const PoolPlan& pool : plan.pools) {
        for (const OutputBuffer& buffer : pool.output_buffers) {
            list.push_back({{"pool", pool.name},
                            {"walk", buffer.walk},
                            {"key", buffer.key ? Json(*buffer.key) : Json()},
                            {"slots", buffer.slots},
                            {"slot_bytes", buffer.slot_bytes},
                            {"bytes", buffer.bytes}});
        }
    }
    return list;
}

void keep_wanted(Explanation& explanation, const std::optional<MustCapture>& only) {
    std::erase_if(explanation.steps,
                  [&](const ExplainedStep& step) { return !is_wanted(step.capture.id, only); });
    std::erase_if(explanation.eager,
                  [&](const ExplainedEager& eager) { return !is_wanted(eager.bucket.id, only); });
    if (!only || !explanation.steps.empty() || !explanation.eager.empty()) return;
    const std::string tokens = only->tokens ? fmt::format(":{}", *only->tokens) : "";
    throw Error(ErrorCode::invalid_argument,
                fmt::format("--bucket: {} has no bucket {}", graphplan::quoted(explanation.plan->source, 200),
                            graphplan::quoted(fmt::format("{}:{}{}", only->walk, only->bs, tokens))));
}

}  // namespace

Explanation explain(const Plan& plan, const std::optional<MustCapture>& only) {
    Explanation explanation;
    explanation.plan = &plan;
    for (const PoolPlan& pool : plan.pools) {
        for (const PlannedCapture& capture : pool.captures) explanation.steps.push_back({pool.name, capture});
        for (const EagerBucket& bucket : pool.eager) {
            const std::optional<std::int64_t> more = missing_mib(bucket);
            explanation.eager.push_back({pool.name, bucket, more, eager_words(bucket, more)});
        }
    }
    std::stable_sort(explanation.steps.begin(), explanation.steps.end(),
                     [](const auto& a, const auto& b) { return a.capture.chosen < b.capture.chosen; });
    Bytes used = 0;
    for (ExplainedStep& step : explanation.steps) {
        used += step.capture.added_bytes;
        step.used_bytes = used;
        step.room_left_bytes = plan.budget.room_bytes - used;
    }
    keep_wanted(explanation, only);
    return explanation;
}

std::string to_document(const Explanation& explanation) {
    const Plan& plan = *explanation.plan;
    Json steps = Json::array(), eager = Json::array();
    for (const ExplainedStep& step : explanation.steps) steps.push_back(step_json(step));
    for (const ExplainedEager& bucket : explanation.eager) eager.push_back(eager_json(bucket));
    const bool shared = plan.outputs == Outputs::shared;
    Json document{{"schema", "graphplan.explanation"},
                  {"schema_version", shared ? "1.1" : "1.0"},
                  {"simulated", is_simulated(plan.provenance)},
                  {"memory_model", to_string(plan.memory_model)}};
    if (shared) {
        document["outputs"] = to_string(plan.outputs);
        document["output_buffers"] = buffers_json(plan);
    }
    document["objective"] = plan.objective;
    document["budget"] = budget_json(plan.budget);
    document["steps"] = std::move(steps);
    document["eager"] = std::move(eager);
    return document.dump(2) + "\n";
}

}  // namespace graphplan::cli
