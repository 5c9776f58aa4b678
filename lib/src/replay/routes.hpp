// Which captured buckets serve a walk, and which of them a step takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graphplan/replay.hpp"
#include "replay/captured_bucket.hpp"

namespace graphplan::replay {

/// Lookups allocate nothing. The buckets and the document outlive it.
class Routes {
  public:
    Routes(const std::vector<CapturedBucket>& captured, const Buckets& document);

    /// The index of the bucket that a step takes, none where it runs eagerly.
    std::optional<std::size_t> find(const StepShape& step) const noexcept;
    /// The same before inputs exist: of batched buckets, by the batch size alone.
    std::optional<std::size_t> find_batched(const StepShape& step) const noexcept;

  private:
    struct Route {
        std::string pool, walk;
        std::optional<std::string> key;
        bool is_region = false;
        std::vector<std::size_t> by_tokens;     ///< ascending (tokens, bs)
        std::vector<std::size_t> by_bs;         ///< batched ones, ascending (bs, tokens)
        std::vector<std::int64_t> batch_sizes;  ///< configured, captured or not, ascending
    };

    Route& route(const CaptureConfig& config, const std::string& walk);
    const Route* find_route(const StepShape& step) const noexcept;
    bool fits(const Route& route, std::size_t bucket, const StepShape& step, bool with_tokens) const noexcept;

    const std::vector<CapturedBucket>& captured_;
    std::vector<Route> routes_;
};

}  // namespace graphplan::replay
