// Chooses which buckets to capture, predicts what recorded captures take, and compares documents.
//
// Values in, values out: no files, no clock, no device.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graphplan/base.hpp"
#include "graphplan/costs.hpp"
#include "graphplan/model.hpp"
#include "graphplan/plan.hpp"

namespace graphplan {

/// A bucket that must be in the plan: "WALK:BS[:TOKENS]".
struct MustCapture {
    std::string walk;
    std::int64_t bs = 0;
    std::optional<std::int64_t> tokens;
};
/// @throws Error invalid_argument, in the name of `option`
MustCapture parse_must(const std::string& text, std::string_view option = "--must");
/// Whether a bucket is the one; WALK may also be "walk[key]".
bool matches(const MustCapture& must, const BucketKey& bucket);

enum class Objective { count, latency };

struct PlanOptions {
    std::optional<Bytes> free_bytes;          ///< --free-mib; else what the costs say
    std::optional<double> fraction;           ///< of the device's total that may be used, 0 < f ≤ 1
    bool same_process = false;                ///< held memory counts, the one-off is paid
    std::optional<Bytes> reusable_bytes;      ///< bounds the reuse of held memory; absent: no bound
    std::optional<MemoryModel> memory_model;  ///< absent: exact where every graph has a trace
    Outputs outputs = Outputs::per_graph;
    std::vector<MustCapture> must;
    bool require_all = false;  ///< every bucket that is not denied is in
    Objective objective = Objective::count;
    std::optional<Traffic> traffic;  ///< needed for latency; for count it adds what steps take
};

/// A plan, and whether it answers what was asked.
struct PlanResult {
    Plan plan;
    bool floor_fits = true;
    std::vector<std::string> unmet;     ///< one line for each demand that the plan does not meet
    std::vector<std::string> warnings;  ///< each with a remedy
};

/// One plan for the costs of one rank or several; a bucket is captured only if every rank planned it.
/// @throws Error invalid_argument where no free memory is known, or `must` names no bucket of the costs;
/// invalid_document where an exact plan lacks a trace, or a trace frees what it never allocated
PlanResult make_plan(std::span<const Costs> ranks, const PlanOptions& options);

/// A bucket by its pool's name.
struct PoolBucket {
    std::string pool;
    BucketKey id;
    auto operator<=>(const PoolBucket&) const = default;
};

/// A budget from which on a plan holds, up to the next step.
struct SweepStep {
    Bytes free_bytes = 0;
    bool floor_fits = true;
    std::size_t captured = 0;                ///< buckets
    Bytes used_bytes = 0;                    ///< of the room
    std::vector<PoolBucket> added, dropped;  ///< against the step before
    std::optional<PoolBucket> next;          ///< the bucket that lacks the least, if the floor fits
    Bytes next_short_bytes = 0;              ///< what it lacks at `free_bytes`, or the floor
    std::optional<Expected> expected;
    bool demands_met = true;  ///< those of `must` and `require_all`
};

/// The free memory to plan for: from, from + step, … and to.
struct SweepRange {
    Bytes from = 0;
    Bytes to = 0;
    Bytes step = 0;
};

/// Every budget of the range at which the plan changes, to the byte, in ascending order. What changes and
/// changes back between two budgets that are a step apart may be missed where more memory can drop a bucket:
/// counting under the exact model, and with several ranks.
/// @throws Error as make_plan does; invalid_argument for an empty range or one that has too many changes
std::vector<SweepStep> sweep(std::span<const Costs> ranks, const PlanOptions& options,
                             const SweepRange& range);

/// Engines whose default batch sizes and options are known. `seed` is the server that graphplan comes from.
enum class EngineName { vllm, sglang, tensorrt_llm, lmdeploy, seed };

/// An engine's default batch sizes, ascending, up to the first that is `most` or more, or its largest.
/// @throws Error invalid_argument for more than 100,000 sizes
std::vector<std::int64_t> default_ladder(EngineName engine, std::int64_t most);

struct LadderOptions {
    std::optional<std::int64_t> count;  ///< sizes of each walk, at least 1; absent: those of `from`
    EngineName from = EngineName::vllm;
    std::string node;                ///< of steps that name no pool
    std::vector<std::string> walks;  ///< empty: all of the traffic's
};

/// Batch sizes for a walk, and what its traffic pads with them.
struct WalkLadder {
    CaptureConfig capture;
    std::size_t arriving = 0;         ///< different batch sizes in the traffic
    double padding_waste = 0;         ///< the share of tokens that are padding
    double beyond_ladder_weight = 0;  ///< of steps larger than every size
};

/// Batch sizes from traffic alone: with `count` those that pad the fewest tokens.
/// @throws Error invalid_argument for a walk that the traffic lacks; invalid_document at the step where a
/// walk's tokens per request differ: its ladder has more than one dimension
std::vector<WalkLadder> propose_ladders(const Traffic& traffic, const LadderOptions& options);

/// Runs a trace through the allocator. @throws Error invalid_document naming the event that frees what
/// is not live or allocates what is
Simulation simulate(const Trace& trace);

/// What changed between two plans, or two costs.
Difference diff(const Plan& before, const Plan& after);
Difference diff(const Costs& before, const Costs& after);

/// Which changes matter.
struct DiffRules {
    std::optional<double> threshold_percent;  ///< figures that change by no more do not; times by more do
    std::optional<Bytes> threshold_bytes;  ///< the same for bytes: with both, only what is beyond both does
    std::vector<Change::Kind> fail_on;     ///< not empty: only these do
};
Difference judged(Difference difference, const DiffRules& rules);

}  // namespace graphplan
