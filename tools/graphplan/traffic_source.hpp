// Where the steps of `replay` come from: drawn from a traffic document, or over what the buckets are for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "graphplan/model.hpp"
#include "graphplan/plan.hpp"

namespace graphplan::cli {

/// A step as it arrives.
struct ArrivingStep {
    std::string pool;
    BucketKey shape;
    auto operator<=>(const ArrivingStep&) const = default;
};

/// The same steps for the same seed.
class TrafficSource {
  public:
    /// Each of the traffic's shapes by its weight. @throws Error invalid_document for a step that no pool, or
    /// more than one, serves
    TrafficSource(const Traffic& traffic, const Buckets& buckets, std::uint64_t seed);
    /// Any config of the buckets, any batch up to its largest, any number of tokens that it takes.
    TrafficSource(const Buckets& buckets, std::uint64_t seed);

    ArrivingStep next();

  private:
    std::int64_t between(std::int64_t least, std::int64_t most);
    double unit();
    ArrivingStep drawn(const CaptureConfig& config);

    std::vector<ArrivingStep> steps_;
    std::vector<double> cumulative_;  ///< of the weights
    const Buckets* buckets_ = nullptr;
    std::mt19937_64 random_;
};

}  // namespace graphplan::cli
