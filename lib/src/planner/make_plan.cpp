#include <algorithm>
#include <deque>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "graphplan/planner.hpp"
#include "planner/budget.hpp"
#include "planner/joint_buckets.hpp"
#include "planner/must.hpp"
#include "planner/plan_alone.hpp"
#include "planner/plan_writer.hpp"
#include "planner/rank_plan.hpp"
#include "planner/unmet.hpp"

namespace graphplan {
namespace {

constexpr double kRounding = 1e-9;  // a smaller gap is that of sums

MemoryModel model_for(const std::vector<Catalog>& ranks, const PlanOptions& options,
                      std::vector<std::string>& warnings) {
    if (options.memory_model) return *options.memory_model;
    const auto all = [](const Catalog& rank) { return rank.has_all_traces(); };
    if (std::all_of(ranks.begin(), ranks.end(), all)) return MemoryModel::exact;
    const auto some = [](const Catalog& rank) { return rank.has_some_traces(); };
    if (std::any_of(ranks.begin(), ranks.end(), some)) {
        warnings.emplace_back(
            "some buckets that have a graph have no trace, so the plan counts in segments: size them again "
            "with "
            "their traces for an exact plan");
    }
    return MemoryModel::segments;
}

// What captures the plan has one allocator's options on every rank.
void check_allocators(std::span<const Costs> ranks) {
    for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
        if (ranks[rank].allocator == ranks[0].allocator) continue;
        throw Error(
            ErrorCode::invalid_document,
            fmt::format("{}: /allocator: rank {} was sized with other options than rank 0, {}: size all "
                        "ranks with the same ones",
                        ranks[rank].source, rank, ranks[0].source));
    }
}

Provenance provenance_of(const Costs& costs) {
    Provenance provenance = costs.provenance;
    provenance.tool_version = version();
    provenance.git_revision = git_revision();
    provenance.time.clear();
    return provenance;
}

std::deque<Workload> workloads_of(const std::vector<Catalog>& ranks, const PlanOptions& options) {
    std::deque<Workload> workloads;
    if (options.traffic) {
        for (const Catalog& rank : ranks) workloads.emplace_back(rank, *options.traffic);
    } else if (options.objective == Objective::latency) {
        throw Error(ErrorCode::invalid_argument,
                    "--objective latency needs the traffic to plan for: give it with --traffic FILE");
    }
    return workloads;
}

/// Every rank with the demanded buckets, or every rank without them where they fit somewhere not.
void choose(std::deque<RankChoice>& ranks, const std::deque<Workload>& workloads,
            const PlanOptions& options) {
    const auto one = [&](std::size_t rank, const std::vector<bool>& demands) {
        return options.objective == Objective::latency ? ranks[rank].choose_fastest(workloads[rank], demands)
                                                       : ranks[rank].choose(demands);
    };
    bool all = true;
    for (std::size_t rank = 0; rank < ranks.size() && all; ++rank) {
        all = one(rank, demanded(ranks[rank].catalog(), options));
    }
    for (std::size_t rank = 0; rank < ranks.size() && !all; ++rank) {
        one(rank, std::vector<bool>(ranks[rank].catalog().items().size()));
    }
}

/// What steps take on the slowest rank.
std::optional<Expected> expected_of(const Plan& plan, const std::deque<Workload>& workloads,
                                    const std::deque<RankChoice>& ranks) {
    std::optional<Expected> slowest;
    for (const Workload& workload : workloads) {
        const Expected expected = workload.expected(captured_in(plan, workload.catalog()));
        if (!slowest || expected.step_us > slowest->step_us) slowest = expected;
    }
    if (slowest && ranks.size() == 1 && ranks[0].lower_us()) {
        const double lower_us = *ranks[0].lower_us() / workloads[0].weight();
        const double gap = slowest->step_us > 0 ? 1 - lower_us / slowest->step_us : 0;
        slowest->gap = gap > kRounding ? gap : 0;
    }
    return slowest;
}

struct Size {
    std::size_t captures = 0;
    Bytes bytes = 0;
};

Size size_of(const Plan& plan) {
    Size size;
    for (const PoolPlan& pool : plan.pools) {
        size.captures += pool.captures.size();
        size.bytes += pool.predicted_bytes;
    }
    return size;
}

/// Whether a plan's steps take longer, or else it captures less, or as much in more memory.
bool loses_to(const Plan& other, const Plan& plan) {
    if (plan.objective == "latency" && plan.expected->step_us != other.expected->step_us)
        return plan.expected->step_us > other.expected->step_us;
    const Size own = size_of(plan), others = size_of(other);
    if (own.captures != others.captures) return own.captures < others.captures;
    return own.bytes > others.bytes;
}

// Outputs of their own may lie in what an earlier graph of the pool freed; a shared buffer lies beside it.
void warn_where_sharing_loses(std::span<const Costs> ranks, const PlanOptions& options, PlanResult& result) {
    PlanOptions per_graph = options;
    per_graph.outputs = Outputs::per_graph;
    const Plan other = plan_alone(ranks, per_graph).plan;
    if (!loses_to(other, result.plan)) return;
    const Size own = size_of(result.plan), others = size_of(other);
    result.warnings.push_back(
        fmt::format("sharing outputs does not pay here: {} buckets in pools of {}, but {} in {} where each "
                    "graph keeps its "
                    "own. Plan with --outputs per_graph",
                    own.captures, format_bytes(own.bytes), others.captures, format_bytes(others.bytes)));
}

void warn_of_options(std::deque<RankChoice>& ranks, const PlanOptions& options,
                     std::vector<std::string>& warnings) {
    if (options.reusable_bytes && !options.same_process) {
        warnings.emplace_back(
            "--reusable-mib changes nothing without --same-process: no other process can reuse what sizing "
            "holds");
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const Budget& budget = ranks[rank].budget();
        if (!ranks[rank].floor_fits() || budget.room_bytes >= 0) continue;
        warnings.push_back(fmt::format(
            "{}the first capture's one-off {} does not fit beside the floor of {}, so nothing is captured: "
            "free {} more",
            ranks.size() > 1 ? fmt::format("rank {}: ", rank) : "", format_bytes(budget.one_off_bytes),
            format_bytes(budget.floor_bytes), format_bytes(-budget.room_bytes)));
    }
}

}  // namespace

PlanResult plan_alone(std::span<const Costs> ranks, const PlanOptions& options) {
    if (ranks.empty())
        throw Error(ErrorCode::invalid_argument, "a plan needs the costs of at least one rank");
    PlanResult result;
    std::vector<Catalog> catalogs;
    catalogs.reserve(ranks.size());
    check_allocators(ranks);
    for (const Costs& costs : ranks) catalogs.emplace_back(costs, options.outputs);
    check_demands(catalogs, options.must);
    const RankRules rules{model_for(catalogs, options, result.warnings),
                          {options.same_process, options.reusable_bytes}};
    std::deque<RankChoice> choices;
    for (const Catalog& catalog : catalogs) {
        choices.emplace_back(catalog, rules, budget_of(catalog.costs(), catalog.floor(), options));
    }
    const std::deque<Workload> workloads = workloads_of(catalogs, options);
    choose(choices, workloads, options);
    warn_of_options(choices, options, result.warnings);
    const JointBuckets joint(catalogs);
    PlanWriter writer(choices, joint, rules);
    result.plan = writer.write();
    result.plan.provenance = provenance_of(ranks[0]);
    result.plan.allocator = ranks[0].allocator;
    result.plan.expected = expected_of(result.plan, workloads, choices);
    if (options.objective == Objective::latency) result.plan.objective = "latency";
    result.warnings.insert(result.warnings.end(), writer.warnings().begin(), writer.warnings().end());
    result.floor_fits =
        std::all_of(choices.begin(), choices.end(), [](const auto& c) { return c.floor_fits(); });
    result.unmet = unmet_demands(result.plan, options, choices);
    return result;
}

PlanResult make_plan(std::span<const Costs> ranks, const PlanOptions& options) {
    PlanResult result = plan_alone(ranks, options);
    if (options.outputs == Outputs::shared) warn_where_sharing_loses(ranks, options, result);
    if (options.objective == Objective::count) return result;
    PlanOptions by_count = options;
    by_count.objective = Objective::count;
    result.plan.expected_by_count = plan_alone(ranks, by_count).plan.expected;
    return result;
}

}  // namespace graphplan
