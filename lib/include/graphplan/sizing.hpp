// Measures what each bucket costs: warm-ups, throwaway captures, lending, executable memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "graphplan/base.hpp"
#include "graphplan/costs.hpp"
#include "graphplan/engine.hpp"

namespace graphplan {

struct SizingOptions {
    SizedBy size_by = SizedBy::lend;  ///< capture: every bucket is captured, none is lent
    int warmup_forwards = 2;          ///< at least 1; the last one's peak counts
    std::stop_token stop;             ///< checked between buckets
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

    /// Claims, warms every slot of every bucket and captures what the rules ask for. Provenance holds
    /// only what the device says; the caller adds the rest.
    /// @throws Error out_of_memory or device where a warm-up fails, naming the bucket and the free memory
    /// before it; interrupted
    Costs run();

    /// Captures every bucket that a lender sized, thrown away, without another forward. A bucket that
    /// fails loses its graph. Returns the corrected costs.
    Costs capture_lent();

    /// Whether a lender sized any bucket.
    bool has_lent() const noexcept;

    void release_copies() noexcept;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace graphplan
