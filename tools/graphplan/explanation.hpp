// What a plan says about itself, as values: the document of `explain`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphplan/base.hpp"
#include "graphplan/plan.hpp"
#include "graphplan/planner.hpp"

namespace graphplan::cli {

/// A bucket as the planner took it.
struct ExplainedStep {
    std::string pool;
    PlannedCapture capture;
    Bytes used_bytes = 0;  ///< of the room, once it was taken
    Bytes room_left_bytes = 0;
};

/// A bucket that the plan leaves out.
struct ExplainedEager {
    std::string pool;
    EagerBucket bucket;
    std::optional<std::int64_t> more_mib;  ///< additional free MiB in which it fits beside the plan
    std::string words;
};

struct Explanation {
    const Plan* plan = nullptr;
    std::vector<ExplainedStep> steps;  ///< in the order in which the planner took them
    std::vector<ExplainedEager> eager;
};

/// All of a plan, or what it says about one bucket. The plan outlives it.
/// @throws Error invalid_argument where no bucket of the plan is the one
Explanation explain(const Plan& plan, const std::optional<MustCapture>& only);

/// The graphplan.explanation document.
std::string to_document(const Explanation& explanation);

}  // namespace graphplan::cli
