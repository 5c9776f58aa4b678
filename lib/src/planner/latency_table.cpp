#include "planner/latency_table.hpp"

#include <algorithm>
#include <set>

namespace graphplan {
namespace {

using Times = TimesByMemory::Times;

/// `to` no more than `from` with `units` more memory and `us` more time.
void relax(Times& to, const Times& from, Units units, double us) {
    if (units >= static_cast<Units>(to.size())) return;
    const auto shift = static_cast<std::size_t>(units);
    const std::size_t count = to.size() - shift;
    double* const out = to.data() + shift;
    const double* const in = from.data();
    for (std::size_t i = 0; i < count; ++i) {
        const double time = in[i] + us;
        out[i] = time < out[i] ? time : out[i];
    }
}

}  // namespace

TimesByMemory TimesByMemory::shifted(Units units) const {
    TimesByMemory result(by_reuse.size(), static_cast<Units>(by_reuse[0].size()) - 1, kNever);
    for (std::size_t reuse = 0; reuse < by_reuse.size(); ++reuse) {
        relax(result.by_reuse[reuse], by_reuse[reuse], units, 0);
    }
    return result;
}

std::vector<std::int64_t> slot_limits(const LatencyMemory& memory, const LadderGraph& graph) {
    std::set<std::int64_t> limits;
    for (const ItemIndex item : graph.items()) limits.insert(memory.catalog()[item].buffer.slots);
    if (limits.empty()) limits.insert(0);
    return {limits.begin(), limits.end()};
}

LadderTable::LadderTable(const LatencyMemory& memory, const LadderGraph& graph)
    : memory_(memory), graph_(graph), slots_(slot_limits(memory, graph)) {
    if (!graph.items().empty()) held_ = memory.held(memory.catalog()[graph.items().front()].walk);
}

std::size_t LadderTable::reuse_after(std::size_t state) const {
    return memory_.reusable() ? reuse_before(state) + static_cast<std::size_t>(reuse_within(state)) : 0;
}

bool LadderTable::allows(const LadderGraph::Arc& arc, std::size_t state) const {
    const ItemIndex item = graph_.items()[arc.item];
    return memory_.catalog()[item].buffer.slots <= most_slots(state) && memory_.scratch(item) <= scratch_;
}

LadderTable::Taken LadderTable::take(const LadderGraph::Arc& arc, std::size_t state) const {
    const ItemIndex index = graph_.items()[arc.item];
    Units reused = std::min(memory_.outside(index), held_ - reuse_within(state));
    if (memory_.reusable()) {
        reused = std::min(reused, *memory_.reusable() - static_cast<Units>(reuse_after(state)));
    }
    const Units growth = memory_.growth(index, most_slots(state), graph_.nodes()[arc.from].slot_bytes);
    return {memory_.kept(index) + growth + memory_.outside(index) - reused,
            state + static_cast<std::size_t>(reused) * slots_.size()};
}

TimesByMemory LadderTable::run(const TimesByMemory& before, Units scratch) {
    scratch_ = scratch;
    times_.assign(graph_.nodes().size(), std::vector<Times>(state_count(before)));
    for (std::size_t reuse = 0; reuse < before.by_reuse.size(); ++reuse) {
        for (std::size_t limit = 0; limit < slots_.size(); ++limit)
            times_[0][reuse * states_within() + limit] = before.by_reuse[reuse];
    }
    const Units most = static_cast<Units>(before.by_reuse[0].size()) - 1;
    TimesByMemory result(before.by_reuse.size(), most, TimesByMemory::kNever);
    for (std::size_t node = 0; node < times_.size(); ++node) {
        for (const LadderGraph::Arc& arc : graph_.nodes()[node].arcs) enter(node, arc);
        if (!graph_.nodes()[node].may_end) continue;
        for (std::size_t state = 0; state < times_[node].size(); ++state) {
            if (times_[node][state].empty()) continue;
            relax(result.by_reuse[reuse_after(state)], times_[node][state], 0, graph_.nodes()[node].tail_us);
        }
    }
    return result;
}

void LadderTable::enter(std::size_t node, const LadderGraph::Arc& arc) {
    for (std::size_t state = 0; state < times_[arc.from].size(); ++state) {
        const Times& from = times_[arc.from][state];
        if (from.empty() || !allows(arc, state)) continue;
        const Taken taken = take(arc, state);
        Times& to = times_[node][taken.state];
        if (to.empty()) to.assign(from.size(), TimesByMemory::kNever);
        relax(to, from, taken.units, arc.us);
    }
}

MemoryPoint LadderTable::trace(const TimesByMemory& before, MemoryPoint at,
                               std::vector<bool>& captured) const {
    // The same sums as in `run` give the same doubles; the best of them made the result.
    double best = TimesByMemory::kNever;
    std::size_t best_node = 0, best_state = 0;
    for (std::size_t node = 0; node < times_.size(); ++node) {
        if (!graph_.nodes()[node].may_end) continue;
        for (std::size_t state = 0; state < state_count(before); ++state) {
            if (times_[node][state].empty() || reuse_after(state) != at.reuse) continue;
            const double time =
                times_[node][state][static_cast<std::size_t>(at.units)] + graph_.nodes()[node].tail_us;
            if (!(time < best)) continue;
            best = time;
            best_node = node;
            best_state = state;
        }
    }
    return walk_back(best_node, best_state, at.units, captured);
}

MemoryPoint LadderTable::walk_back(std::size_t node, std::size_t state, Units units,
                                   std::vector<bool>& captured) const {
    const auto came_from = [&](const LadderGraph::Arc& arc, std::size_t from, const Taken& taken) {
        const Times& times = times_[arc.from][from];
        return !times.empty() && taken.state == state && taken.units <= units &&
               times[static_cast<std::size_t>(units - taken.units)] + arc.us ==
                   times_[node][state][static_cast<std::size_t>(units)];
    };
    while (node != 0) {
        bool found = false;
        for (const LadderGraph::Arc& arc : graph_.nodes()[node].arcs) {
            for (std::size_t from = 0; from < times_[arc.from].size() && !found; ++from) {
                if (!allows(arc, from)) continue;
                const Taken taken = take(arc, from);
                if (!came_from(arc, from, taken)) continue;
                captured[graph_.items()[arc.item]] = true;
                node = arc.from;
                state = from;
                units -= taken.units;
                found = true;
            }
            if (found) break;
        }
        if (!found) throw Error(ErrorCode::internal, "latency: a shortest path has no way back");
    }
    return {reuse_before(state), units};
}

}  // namespace graphplan
