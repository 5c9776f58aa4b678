#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "engine/forwards.hpp"
#include "graphplan/costs.hpp"
#include "graphplan/engine.hpp"

namespace graphplan {
namespace {

[[noreturn]] void fail(const Buckets& buckets, const CaptureConfig& config, std::string_view member,
                       std::string_view what) {
    throw Error(ErrorCode::invalid_document,
                fmt::format("{}: {}/{}: {}", buckets.source, config.pointer, member, what));
}

void check_sizes(const Buckets& buckets, const CaptureConfig& config, std::string_view member,
                 const std::vector<std::int64_t>& sizes, std::int64_t most) {
    if (sizes.empty()) fail(buckets, config, member, "an empty list, expected at least one size");
    for (const std::int64_t size : sizes) {
        if (size < 1 || size > most)
            fail(buckets, config, member, fmt::format("{}, expected 1 to {}", size, most));
    }
}

constexpr std::int64_t kMostSlots = 1024;

void check_batched(const Buckets& buckets, const CaptureConfig& config, std::int64_t widest) {
    check_sizes(buckets, config, "tokens_per_request", {config.tokens_per_request}, kMostTokens);
    check_sizes(buckets, config, "tokens_multiplier", {config.tokens_multiplier}, kMostTokens);
    if (widest > kMostTokens / config.tokens_per_request / config.tokens_multiplier) {
        fail(buckets, config, "tokens_per_request",
             fmt::format("{} rows of {} x {} tokens, expected at most {} in all", widest,
                         config.tokens_per_request, config.tokens_multiplier, kMostTokens));
    }
}

void check_packed(const Buckets& buckets, const CaptureConfig& config, std::int64_t widest) {
    check_sizes(buckets, config, "token_lengths", config.token_lengths, kMostTokens);
    const std::int64_t shortest = *std::min_element(config.token_lengths.begin(), config.token_lengths.end());
    if (shortest < widest) {
        fail(buckets, config, "token_lengths",
             fmt::format("{} tokens cannot fill {} rows; every length must reach the largest batch size",
                         shortest, widest));
    }
}

void check_shapes(const Buckets& buckets, const CaptureConfig& config) {
    check_sizes(buckets, config, "batch_sizes", config.batch_sizes, kMostRows);
    const std::int64_t widest = *std::max_element(config.batch_sizes.begin(), config.batch_sizes.end());
    if (config.kind == CaptureKind::batched) return check_batched(buckets, config, widest);
    check_packed(buckets, config, widest);
}

void check_replay_walks(const Model& model, const Buckets& buckets, const CaptureConfig& config) {
    for (std::size_t i = 0; i < config.replay_walks.size(); ++i) {
        engine::find_forward(model, buckets, config, config.replay_walks[i],
                             fmt::format("{}/replay_walks/{}", config.pointer, i));
    }
}

using Identity = std::tuple<std::string, BucketKey>;

void check_new(const Buckets& buckets, const CaptureConfig& config, std::set<Identity>& known) {
    for (const BucketShape& shape : shapes_of(config)) {
        const BucketKey id{config.walk, config.key, shape.bs, shape.tokens};
        if (known.insert({config.node, id}).second) continue;
        fail(buckets, config, "batch_sizes",
             fmt::format("bucket {} of node {} is asked for twice; leave one out or give it a \"key\"",
                         to_string(id), quoted(config.node)));
    }
}

}  // namespace

void check_buckets(const Buckets& buckets, const Model& model) {
    if (buckets.captures.empty()) {
        throw Error(
            ErrorCode::invalid_document,
            fmt::format("{}: /captures: an empty list, expected at least one capture", buckets.source));
    }
    std::set<Identity> known;
    for (const CaptureConfig& config : buckets.captures) {
        engine::find_forward(model, buckets, config);
        check_shapes(buckets, config);
        check_sizes(buckets, config, "slots", {config.slots}, kMostSlots);
        check_replay_walks(model, buckets, config);
        check_new(buckets, config, known);
    }
}

}  // namespace graphplan
