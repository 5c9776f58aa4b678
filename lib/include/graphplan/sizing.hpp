// Measures what each bucket costs: warm-ups, throwaway captures, lending, executable memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "graphplan/base.hpp"
#include "graphplan/costs.hpp"
#include "graphplan/engine.hpp"

namespace graphplan {

struct SizingOptions {
    SizedBy size_by = SizedBy::lend;                ///< capture: every bucket is captured, none is lent
    int warmup_forwards = 2;                        ///< at least 1; the last one's peak counts
    std::function<bool(const BucketSpec&)> select;  ///< which buckets to size; none: all. All are claimed
    std::optional<Failure> refusal;                 ///< every bucket is only warmed up, and this says why
    std::stop_token stop;                           ///< checked between buckets
    LogCallback log;
    /// Called before each bucket: how many are done, of how many, and which is next.
    std::function<void(std::size_t done, std::size_t total, const BucketSpec& next)> progress;
};

/// A sizing run. The copies of executables that it measured are held until `release_copies` or its end,
/// since after any destruction a measurement reads low.
class Sizing {
  public:
    /// `engine` outlives it and has not claimed yet.
    Sizing(Engine& engine, SizingOptions options);
    ~Sizing();
    Sizing(const Sizing&) = delete;
    Sizing& operator=(const Sizing&) = delete;

    /// Claims, warms every slot of every bucket and captures what the rules ask for, once. Both free
    /// figures leave out the weights that were shared. Provenance holds only what the device says; the
    /// caller adds the rest. A capture that fails is an answer: the bucket has no graph and says why; so
    /// has every bucket of a device that cannot capture. After an error nothing is held but what was claimed.
    /// @throws Error with the code of what failed where a warm-up fails, naming bucket, slot and the free
    /// memory before it; device where a capture broke the context, naming the bucket; interrupted
    Costs run();

    /// Captures every bucket that a lender sized, thrown away, without another forward. A bucket that
    /// fails loses its graph. Returns the corrected costs. @throws Error device and interrupted as `run`
    Costs capture_lent();

    /// Whether a lender sized any bucket.
    bool has_lent() const noexcept;

    void release_copies() noexcept;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace graphplan
