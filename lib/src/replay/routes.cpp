#include "replay/routes.hpp"

#include <algorithm>
#include <tuple>

namespace graphplan::replay {

Routes::Routes(const std::vector<CapturedBucket>& captured, const Buckets& document) : captured_(captured) {
    const auto walks_of = [](const CaptureConfig& config) {
        std::vector<std::string> walks = config.replay_walks;
        if (std::find(walks.begin(), walks.end(), config.walk) == walks.end()) walks.push_back(config.walk);
        return walks;
    };
    for (const CaptureConfig& config : document.captures) {
        for (const std::string& walk : walks_of(config)) {
            std::vector<std::int64_t>& sizes = route(config, walk).batch_sizes;
            sizes.insert(sizes.end(), config.batch_sizes.begin(), config.batch_sizes.end());
        }
    }
    for (std::size_t i = 0; i < captured_.size(); ++i) {
        for (const std::string& walk : walks_of(*captured_[i].config)) {
            Route& to = route(*captured_[i].config, walk);
            to.by_tokens.push_back(i);
            if (captured_[i].config->kind == CaptureKind::batched) to.by_bs.push_back(i);
        }
    }
    const auto id = [&](std::size_t i) -> const BucketKey& { return captured_[i].spec->id; };
    for (Route& to : routes_) {
        std::sort(to.batch_sizes.begin(), to.batch_sizes.end());
        std::stable_sort(to.by_tokens.begin(), to.by_tokens.end(), [&](std::size_t a, std::size_t b) {
            return std::tie(id(a).tokens, id(a).bs) < std::tie(id(b).tokens, id(b).bs);
        });
        std::stable_sort(to.by_bs.begin(), to.by_bs.end(), [&](std::size_t a, std::size_t b) {
            return std::tie(id(a).bs, id(a).tokens) < std::tie(id(b).bs, id(b).tokens);
        });
    }
}

Routes::Route& Routes::route(const CaptureConfig& config, const std::string& walk) {
    for (Route& known : routes_) {
        if (known.pool == config.node && known.walk == walk && known.key == config.key &&
            known.is_region == config.is_region) {
            return known;
        }
    }
    return routes_.emplace_back(Route{config.node, walk, config.key, config.is_region, {}, {}, {}});
}

const Routes::Route* Routes::find_route(const StepShape& step) const noexcept {
    for (const Route& known : routes_) {
        const bool same_key = known.key ? step.key && *step.key == *known.key : !step.key;
        if (same_key && known.walk == step.walk && known.pool == step.pool) return &known;
    }
    return nullptr;
}

bool Routes::fits(const Route& route, std::size_t bucket, const StepShape& step,
                  bool with_tokens) const noexcept {
    const CapturedBucket& captured = captured_[bucket];
    const BucketKey& id = captured.spec->id;
    const std::int64_t multiplier = captured.config->tokens_multiplier;
    // Divided, since a product may overflow. Each row brings a token at least.
    if (with_tokens && step.tokens > id.tokens / multiplier) return false;
    if (with_tokens && step.tokens < (step.bs - 1) / multiplier + 1) return false;
    if (!route.is_region) return id.bs >= step.bs;
    const auto padded = std::lower_bound(route.batch_sizes.begin(), route.batch_sizes.end(), step.bs);
    return padded != route.batch_sizes.end() && id.bs == *padded;
}

std::optional<std::size_t> Routes::find(const StepShape& step) const noexcept {
    const Route* route = find_route(step);
    if (route == nullptr || step.bs < 1) return std::nullopt;
    for (const std::size_t bucket : route->by_tokens) {
        if (fits(*route, bucket, step, true)) return bucket;
    }
    return std::nullopt;
}

std::optional<std::size_t> Routes::find_batched(const StepShape& step) const noexcept {
    const Route* route = find_route(step);
    if (route == nullptr || step.bs < 1) return std::nullopt;
    for (const std::size_t bucket : route->by_bs) {
        if (fits(*route, bucket, step, false)) return bucket;
    }
    return std::nullopt;
}

}  // namespace graphplan::replay
