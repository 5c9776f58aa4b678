#include "planner/latency_optimum.hpp"

#include <algorithm>
#include <set>

namespace graphplan {
namespace {

constexpr double kMostWork = 4e9;   // about two seconds
constexpr double kMostTimes = 4e7;  // doubles held at once
constexpr double kAsGood = 1e-12;   // relative: less is rounding

/// The place with the least time, and among those that are as good the least memory.
MemoryPoint best_of(const TimesByMemory& times) {
    double least = TimesByMemory::kNever;
    for (const auto& by_units : times.by_reuse) least = std::min(least, by_units.back());
    MemoryPoint best{0, static_cast<Units>(times.by_reuse[0].size())};
    for (std::size_t reuse = 0; reuse < times.by_reuse.size(); ++reuse) {
        for (Units units = 0; units < best.units; ++units) {
            const double time = times.by_reuse[reuse][static_cast<std::size_t>(units)];
            if (time <= least + kAsGood * least) best = {reuse, units};
        }
    }
    return best;
}

}  // namespace

std::vector<Units> scratch_limits(const LatencyMemory& memory, const std::vector<LadderGraph>& ladders) {
    std::set<Units> limits{0};
    for (const LadderGraph& ladder : ladders) {
        for (const ItemIndex item : ladder.items()) limits.insert(memory.scratch(item));
    }
    return {limits.begin(), limits.end()};
}

LatencyOptimum::LatencyOptimum(const LatencyMemory& memory, const Pools& pools, Units room)
    : memory_(memory),
      pools_(pools),
      room_(room),
      reuses_(memory.reusable() ? static_cast<std::size_t>(memory.most_reuse()) + 1 : 1) {}

bool LatencyOptimum::is_small() const {
    double work = 0, most = 0;
    for (const auto& ladders : pools_) {
        const auto limits = static_cast<double>(scratch_limits(memory_, ladders).size());
        double held = 0;
        for (const LadderGraph& ladder : ladders) {
            if (!ladder.is_exact()) return false;
            const LadderTable table(memory_, ladder);
            work += limits * static_cast<double>(table.work());
            held += static_cast<double>(table.node_count());
        }
        most = std::max(most, held);
    }
    const double row = static_cast<double>(room_ + 1) * static_cast<double>(reuses_);
    return work * row <= kMostWork && most * row <= kMostTimes;
}

LatencyOptimum::Added LatencyOptimum::add(const TimesByMemory& before, std::size_t pool) const {
    Added added{TimesByMemory(reuses_, room_, TimesByMemory::kNever), {}};
    added.scratch.assign(reuses_, std::vector<Units>(static_cast<std::size_t>(room_) + 1));
    for (const Units scratch : scratch_limits(memory_, pools_[pool])) {
        if (scratch > room_) break;
        TimesByMemory times = before.shifted(scratch);
        for (const LadderGraph& ladder : pools_[pool])
            times = LadderTable(memory_, ladder).run(times, scratch);
        for (std::size_t reuse = 0; reuse < reuses_; ++reuse) {
            for (std::size_t units = 0; units < times.by_reuse[reuse].size(); ++units) {
                if (!(times.by_reuse[reuse][units] < added.times.by_reuse[reuse][units])) continue;
                added.times.by_reuse[reuse][units] = times.by_reuse[reuse][units];
                added.scratch[reuse][units] = scratch;
            }
        }
    }
    return added;
}

MemoryPoint LatencyOptimum::trace(const TimesByMemory& before, const Added& added, std::size_t pool,
                                  MemoryPoint at, std::vector<bool>& captured) const {
    const Units scratch = added.scratch[at.reuse][static_cast<std::size_t>(at.units)];
    std::vector<TimesByMemory> times{before.shifted(scratch)};
    std::vector<LadderTable> tables;
    for (const LadderGraph& ladder : pools_[pool]) {
        tables.emplace_back(memory_, ladder);
        times.push_back(tables.back().run(times.back(), scratch));
    }
    for (std::size_t i = tables.size(); i-- > 0;) at = tables[i].trace(times[i], at, captured);
    at.units -= scratch;
    return at;
}

LatencyChoice LatencyOptimum::choose() const {
    std::vector<TimesByMemory> before;
    std::vector<Added> added;
    TimesByMemory times(reuses_, room_, TimesByMemory::kNever);
    std::fill(times.by_reuse[0].begin(), times.by_reuse[0].end(), 0.0);
    for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
        before.push_back(times);
        added.push_back(add(times, pool));
        times = added.back().times;
    }
    MemoryPoint at = best_of(times);
    LatencyChoice choice{std::vector<bool>(memory_.catalog().items().size()),
                         times.by_reuse[at.reuse][static_cast<std::size_t>(at.units)]};
    for (std::size_t pool = pools_.size(); pool-- > 0;) {
        at = trace(before[pool], added[pool], pool, at, choice.captured);
    }
    return choice;
}

}  // namespace graphplan
