#include <algorithm>
#include <deque>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "graphplan/planner.hpp"
#include "planner/budget.hpp"
#include "planner/joint_buckets.hpp"
#include "planner/must.hpp"
#include "planner/plan_writer.hpp"
#include "planner/rank_plan.hpp"
#include "planner/unmet.hpp"

namespace graphplan {
namespace {

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

Provenance provenance_of(const Costs& costs) {
    Provenance provenance = costs.provenance;
    provenance.tool_version = version();
    provenance.git_revision = git_revision();
    provenance.time.clear();
    return provenance;
}

/// Every rank with the demanded buckets, or every rank without them where they fit somewhere not.
void choose(std::deque<RankChoice>& ranks, const PlanOptions& options) {
    const auto with_demands = [&](RankChoice& rank) {
        return rank.choose(demanded(rank.catalog(), options));
    };
    if (std::all_of(ranks.begin(), ranks.end(), with_demands)) return;
    for (RankChoice& rank : ranks) rank.choose(std::vector<bool>(rank.catalog().items().size()));
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

PlanResult make_plan(std::span<const Costs> ranks, const PlanOptions& options) {
    if (ranks.empty())
        throw Error(ErrorCode::invalid_argument, "a plan needs the costs of at least one rank");
    PlanResult result;
    std::vector<Catalog> catalogs;
    catalogs.reserve(ranks.size());
    for (const Costs& costs : ranks) catalogs.emplace_back(costs);
    check_demands(catalogs, options.must);
    const RankRules rules{model_for(catalogs, options, result.warnings),
                          {options.same_process, options.reusable_bytes}};
    std::deque<RankChoice> choices;
    for (const Catalog& catalog : catalogs) {
        choices.emplace_back(catalog, rules, budget_of(catalog.costs(), catalog.floor(), options));
    }
    choose(choices, options);
    warn_of_options(choices, options, result.warnings);
    const JointBuckets joint(catalogs);
    PlanWriter writer(choices, joint, rules);
    result.plan = writer.write();
    result.plan.provenance = provenance_of(ranks[0]);
    result.warnings.insert(result.warnings.end(), writer.warnings().begin(), writer.warnings().end());
    result.floor_fits =
        std::all_of(choices.begin(), choices.end(), [](const auto& c) { return c.floor_fits(); });
    result.unmet = unmet_demands(result.plan, options, choices);
    return result;
}

}  // namespace graphplan
