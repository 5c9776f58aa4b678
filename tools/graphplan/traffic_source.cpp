#include "traffic_source.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "terminal.hpp"

namespace graphplan::cli {
namespace {

bool serves(const CaptureConfig& config, const TrafficStep& step) {
    if (step.pool && config.node != *step.pool) return false;
    if (config.key != step.shape.key) return false;
    const std::vector<std::string>& walks = config.replay_walks;
    return config.walk == step.shape.walk ||
           std::find(walks.begin(), walks.end(), step.shape.walk) != walks.end();
}

// Before anything is captured: at the step it would end a run.
void check_size(const Traffic& traffic, std::size_t index, const CaptureConfig& config) {
    const BucketKey& shape = traffic.steps[index].shape;
    const std::int64_t multiplier = config.tokens_multiplier;
    if (shape.bs <= kMostRows && shape.tokens <= kMostTokens / multiplier &&
        shape.tokens * multiplier >= shape.bs)
        return;
    throw Error(
        ErrorCode::invalid_document,
        fmt::format("{}: /steps/{}: {}: expected at most {} rows of at least a token each, and at most {} "
                    "tokens in all{}",
                    traffic.source, index, printable(to_string(shape)), kMostRows, kMostTokens,
                    multiplier > 1 ? fmt::format(", {} times as many as the step's", multiplier) : ""));
}

std::string pool_of(const Traffic& traffic, std::size_t index, const Buckets& buckets) {
    const TrafficStep& step = traffic.steps[index];
    std::vector<std::string> pools;
    for (const CaptureConfig& config : buckets.captures) {
        if (!serves(config, step)) continue;
        check_size(traffic, index, config);
        if (std::find(pools.begin(), pools.end(), config.node) == pools.end()) pools.push_back(config.node);
    }
    if (pools.size() == 1) return pools.front();
    throw Error(ErrorCode::invalid_document,
                fmt::format("{}: /steps/{}: walk {} is served by {}; {}", traffic.source, index,
                            printable(to_string(step.shape)),
                            pools.empty() ? "no pool" : fmt::format("pools {}", fmt::join(pools, ", ")),
                            pools.empty() ? "take the step out or add its walk to the buckets document"
                                          : "name its \"pool\""));
}

}  // namespace

TrafficSource::TrafficSource(const Traffic& traffic, const Buckets& buckets, std::uint64_t seed)
    : random_(seed) {
    double sum = 0;
    for (std::size_t i = 0; i < traffic.steps.size(); ++i) {
        steps_.push_back({pool_of(traffic, i, buckets), traffic.steps[i].shape});
        sum += traffic.steps[i].weight;
        cumulative_.push_back(sum);
    }
}

TrafficSource::TrafficSource(const Buckets& buckets, std::uint64_t seed)
    : buckets_(&buckets), random_(seed) {}

// The standard's distributions differ between libraries; these don't.
double TrafficSource::unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

std::int64_t TrafficSource::between(std::int64_t least, std::int64_t most) {
    const auto span = static_cast<double>(most - least + 1);
    return std::min(most, least + static_cast<std::int64_t>(unit() * span));
}

ArrivingStep TrafficSource::next() {
    if (buckets_ != nullptr) {
        const auto last = static_cast<std::int64_t>(buckets_->captures.size()) - 1;
        return drawn(buckets_->captures[static_cast<std::size_t>(between(0, last))]);
    }
    const double at = unit() * cumulative_.back();
    const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), at);
    const auto index = std::min<std::ptrdiff_t>(found - cumulative_.begin(),
                                                static_cast<std::ptrdiff_t>(cumulative_.size()) - 1);
    return steps_[static_cast<std::size_t>(index)];
}

ArrivingStep TrafficSource::drawn(const CaptureConfig& config) {
    const std::int64_t most = *std::max_element(config.batch_sizes.begin(), config.batch_sizes.end());
    ArrivingStep step{config.node, {config.walk, config.key, between(1, most), 0}};
    if (config.kind == CaptureKind::batched) {
        step.shape.tokens = step.shape.bs * config.tokens_per_request;
    } else {
        step.shape.tokens = between(
            step.shape.bs, *std::max_element(config.token_lengths.begin(), config.token_lengths.end()));
    }
    return step;
}

}  // namespace graphplan::cli
