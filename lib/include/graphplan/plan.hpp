// What to capture, how often each shape arrives, and what recorded captures take: the values of
// `graphplan.plan`, `graphplan.traffic` and `graphplan.simulation`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graphplan/costs.hpp"

namespace graphplan {

enum class MemoryModel { segments, exact };
std::string_view to_string(MemoryModel model) noexcept;

/// Whether each graph keeps outputs of its own in the pool, or the graphs of a walk and slot write into one
/// buffer outside it. A region's lie outside the pool, a set for each graph, in both.
enum class Outputs { per_graph, shared };
std::string_view to_string(Outputs outputs) noexcept;

/// Why a bucket stays eager.
enum class EagerReason {
    does_not_fit,
    floor_does_not_fit,
    not_captured,
    denied,
    not_worth_it,
    dropped_on_rank
};
std::string_view to_string(EagerReason reason) noexcept;

/// The memory a plan had to fit, all in bytes and unclamped: room may be negative.
struct Budget {
    Bytes free_bytes = 0;
    std::string source;              ///< "--free-mib", "free_bytes" or "free_bytes_before"
    std::optional<double> fraction;  ///< of the device's total, where one limited `free_bytes`
    Bytes floor_bytes = 0;
    Bytes one_off_bytes = 0;
    Bytes room_bytes = 0;       ///< free − floor − one-off
    Bytes room_left_bytes = 0;  ///< what the plan leaves of it
    bool operator==(const Budget&) const = default;
};

struct PlannedCapture {
    BucketKey id;
    std::optional<std::string> region;
    std::int64_t slots = 1;
    Bytes added_bytes = 0;    ///< what it cost when it was chosen, executables included, reuse taken off
    std::int64_t chosen = 0;  ///< the order in which the planner took it, over all pools, from 0
    bool operator==(const PlannedCapture&) const = default;
};

struct EagerBucket {
    BucketKey id;
    std::optional<std::string> region;
    EagerReason reason = EagerReason::does_not_fit;
    std::optional<Bytes> needs_bytes;   ///< what it would add to the finished plan
    std::optional<Bytes> short_bytes;   ///< how much of that is missing
    std::optional<std::int64_t> rank;   ///< the first rank that dropped it
    std::optional<std::string> detail;  ///< the failure, where it could not be captured
    bool operator==(const EagerBucket&) const = default;
};

/// The shared outputs of a walk: slot after slot, each as large as its largest captured bucket needs, of
/// which smaller ones take a prefix.
struct OutputBuffer {
    std::string walk;
    std::optional<std::string> key;
    std::int64_t slots = 1;
    Bytes slot_bytes = 0;  ///< each output in whole 512 B
    Bytes bytes = 0;       ///< of all slots, in whole 2 MiB
    bool operator==(const OutputBuffer&) const = default;
};

struct PoolPlan {
    std::string name;
    Bytes predicted_bytes = 0;  ///< what the pool, regions' kept bytes and shared outputs will hold
    std::optional<Bytes> predicted_bytes_ascending;  ///< where ascending segment addresses differ
    Bytes outside_bytes = 0;                         ///< executable memory, before any reuse
    std::vector<OutputBuffer> output_buffers;        ///< where outputs are shared, in sizing order
    std::vector<PlannedCapture> captures;            ///< in the order to capture in
    std::vector<EagerBucket> eager;                  ///< in sizing order
    bool operator==(const PoolPlan&) const = default;
};

/// One rank's own figures, where a plan was made for several.
struct RankPlan {
    Budget budget;
    std::string costs_sha256;
    bool operator==(const RankPlan&) const = default;
};

/// What the traffic's steps take on average with a plan. Steps that no bucket fits, captured or not, count
/// in `beyond_ladder_weight` alone.
struct Expected {
    double step_us = 0;         ///< a step's time
    double hit_rate = 0;        ///< the share of steps that replay a graph
    double padding_waste = 0;   ///< the share of replayed tokens that are padding
    std::optional<double> gap;  ///< no plan by whole segments is faster by a larger share; absent: unproven
    double beyond_ladder_weight = 0;
    bool operator==(const Expected&) const = default;
};

struct Plan {
    Provenance provenance;
    Budget budget;  ///< of the rank with the least room left
    MemoryModel memory_model = MemoryModel::segments;
    std::optional<AllocatorOptions> allocator;  ///< the costs', where said: what pools were predicted with
    Outputs outputs = Outputs::per_graph;
    std::string objective = "count";
    std::optional<Expected> expected;  ///< where traffic was given
    std::optional<Expected>
        expected_by_count;        ///< what the objective "count" would give, where it is another
    std::vector<PoolPlan> pools;  ///< every pool of the costs, in their order
    std::vector<RankPlan> ranks;  ///< empty for one rank
    std::string source;
};

struct TrafficStep {
    std::optional<std::string> pool;
    BucketKey shape;
    double weight = 0;
};

struct Traffic {
    std::vector<TrafficStep> steps;
    std::string source;
};

/// A pool after one capture.
struct SimulatedCapture {
    std::string pool;
    BucketKey id;
    Bytes predicted_pool_bytes_after = 0;
    std::optional<Bytes> observed_pool_bytes_after;
};

/// Predicted against observed; figures of pools are summed, and absent where nothing was observed.
struct Simulation {
    std::vector<SimulatedCapture> captures;
    Bytes predicted_bytes = 0;
    std::optional<Bytes> observed_bytes;
    std::optional<Bytes> error_bytes;
    bool matches = true;  ///< after every capture that was observed
    std::vector<std::string> warnings;
};

}  // namespace graphplan
