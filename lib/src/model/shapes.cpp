#include <algorithm>

#include <fmt/format.h>

#include "graphplan/model.hpp"

namespace graphplan {
namespace {

std::int64_t batched_tokens(const CaptureConfig& config, std::int64_t bs) {
    std::int64_t tokens = 0;
    if (__builtin_mul_overflow(bs, config.tokens_per_request, &tokens) ||
        __builtin_mul_overflow(tokens, config.tokens_multiplier, &tokens)) {
        throw Error(ErrorCode::invalid_document,
                    fmt::format("{}: batch size {} × {} tokens per request × {} is beyond 2^63",
                                config.pointer, bs, config.tokens_per_request, config.tokens_multiplier));
    }
    return tokens;
}

}  // namespace

bool replays(const CaptureConfig& config, std::string_view walk) noexcept {
    return config.walk == walk || std::find(config.replay_walks.begin(), config.replay_walks.end(), walk) !=
                                      config.replay_walks.end();
}

std::vector<BucketShape> shapes_of(const CaptureConfig& config) {
    std::vector<BucketShape> shapes;
    for (const std::int64_t bs : config.batch_sizes) {
        if (config.kind == CaptureKind::batched) {
            shapes.push_back({bs, batched_tokens(config, bs)});
            continue;
        }
        for (const std::int64_t tokens : config.token_lengths) shapes.push_back({bs, tokens});
    }
    std::stable_sort(shapes.begin(), shapes.end(), [](const BucketShape& a, const BucketShape& b) {
        return a.bs != b.bs ? a.bs > b.bs : a.tokens > b.tokens;
    });
    return shapes;
}

std::vector<std::int64_t> row_lengths(const BucketShape& shape) {
    if (shape.bs < 1) return {};
    std::vector<std::int64_t> rows(static_cast<std::size_t>(shape.bs), shape.tokens / shape.bs);
    rows.front() += shape.tokens % shape.bs;
    return rows;
}

}  // namespace graphplan
