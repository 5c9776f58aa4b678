#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "graphplan/planner.hpp"
#include "planner/plan_alone.hpp"

namespace graphplan {
namespace {

constexpr std::size_t kMostSteps = 4096;
constexpr Bytes kMostLooks = 100'000;  // budgets of a range

/// A plan for one budget, as far as plans are compared.
struct Look {
    Bytes free_bytes = 0;
    PlanResult result;
    std::vector<PoolBucket> captured;  ///< sorted

    bool is_like(const Look& other) const {
        return result.floor_fits == other.result.floor_fits && captured == other.captured;
    }
};

class Sweep {
  public:
    Sweep(std::span<const Costs> ranks, const PlanOptions& options) : ranks_(ranks), options_(options) {}

    std::vector<SweepStep> run(const SweepRange& range) {
        Look last = look(range.from);
        add(last, {});
        for (Bytes free = range.from; free < range.to;) {
            free = range.to - free > range.step ? free + range.step : range.to;
            const Look end = look(free);
            while (!last.is_like(end)) {
                Look next = first_change(last, end);
                add(next, last.captured);
                last = std::move(next);
            }
            last.free_bytes = free;
            last.result = end.result;
            if (has_all(last)) break;
        }
        return std::move(steps_);
    }

  private:
    Look look(Bytes free_bytes) {
        options_.free_bytes = free_bytes;
        Look look{free_bytes, plan_alone(ranks_, options_), {}};
        for (const PoolPlan& pool : look.result.plan.pools) {
            for (const PlannedCapture& capture : pool.captures)
                look.captured.push_back({pool.name, capture.id});
        }
        std::sort(look.captured.begin(), look.captured.end());
        return look;
    }

    /// Whether more memory changes nothing any more: every graph is in, in a plan that takes what fits.
    bool has_all(const Look& look) const {
        return options_.objective == Objective::count && look.result.floor_fits &&
               !next_of(look.result.plan).first;
    }

    /// The bucket that lacks the least, and what it lacks.
    static std::pair<std::optional<PoolBucket>, Bytes> next_of(const Plan& plan) {
        std::pair<std::optional<PoolBucket>, Bytes> next;
        for (const PoolPlan& pool : plan.pools) {
            for (const EagerBucket& eager : pool.eager) {
                const Bytes lacks = eager.short_bytes.value_or(0);
                if (lacks <= 0 || (next.first && next.second <= lacks)) continue;
                next = {PoolBucket{pool.name, eager.id}, lacks};
            }
        }
        return next;
    }

    /// The lowest budget above `low`'s, at most `high`'s, whose plan is not `low`'s. `high`'s is not.
    Look first_change(const Look& low, const Look& high) {
        const Bytes guess = low.free_bytes + next_of(low.result.plan).second;
        if (guess > low.free_bytes && guess <= high.free_bytes) {
            Look found = look(guess);
            if (!found.is_like(low) && look(guess - 1).is_like(low)) return found;
        }
        const Bytes unit = unit_of(low.result.plan);
        // Only at whole units above `base` a plan can change.
        const Bytes base = low.free_bytes - offset_of(low.result.plan, unit);
        Bytes same = 0, other = (high.free_bytes - base) / unit;
        while (other - same > 1) {
            const Bytes middle = same + (other - same) / 2;
            (look(base + middle * unit).is_like(low) ? same : other) = middle;
        }
        return look(base + other * unit);
    }

    Bytes unit_of(const Plan& plan) const {
        const bool in_segments = options_.objective == Objective::latency && ranks_.size() == 1 &&
                                 plan.memory_model == MemoryModel::segments && plan.budget.room_bytes >= 0;
        return in_segments ? kSegment : 1;
    }
    static Bytes offset_of(const Plan& plan, Bytes unit) {
        return unit > 1 ? plan.budget.room_bytes % unit : 0;
    }

    void add(const Look& look, const std::vector<PoolBucket>& before) {
        if (steps_.size() >= kMostSteps) {
            throw Error(ErrorCode::invalid_argument,
                        fmt::format("the plan changes more than {} times up to {}: sweep a narrower range",
                                    kMostSteps, format_bytes(look.free_bytes)));
        }
        SweepStep step;
        step.free_bytes = look.free_bytes;
        step.floor_fits = look.result.floor_fits;
        step.captured = look.captured.size();
        step.used_bytes = look.result.plan.budget.room_bytes - look.result.plan.budget.room_left_bytes;
        std::set_difference(look.captured.begin(), look.captured.end(), before.begin(), before.end(),
                            std::back_inserter(step.added));
        std::set_difference(before.begin(), before.end(), look.captured.begin(), look.captured.end(),
                            std::back_inserter(step.dropped));
        std::tie(step.next, step.next_short_bytes) = next_of(look.result.plan);
        if (!step.floor_fits) step.next.reset();
        step.demands_met = look.result.unmet.empty();
        step.expected = look.result.plan.expected;
        steps_.push_back(std::move(step));
    }

    std::span<const Costs> ranks_;
    PlanOptions options_;
    std::vector<SweepStep> steps_;
};

}  // namespace

std::vector<SweepStep> sweep(std::span<const Costs> ranks, const PlanOptions& options,
                             const SweepRange& range) {
    if (range.from < 0 || range.to < range.from || range.step < 1) {
        throw Error(ErrorCode::invalid_argument,
                    "a sweep goes from a budget up to another one in steps of more than 0");
    }
    if ((range.to - range.from) / range.step > kMostLooks) {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("a sweep of more than {} budgets: take larger steps, changes in between are "
                                "found all the same",
                                kMostLooks));
    }
    return Sweep(ranks, options).run(range);
}

}  // namespace graphplan
