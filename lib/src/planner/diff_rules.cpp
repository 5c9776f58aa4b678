#include <algorithm>
#include <cmath>

#include "graphplan/planner.hpp"

namespace graphplan {
namespace {

using Kind = Change::Kind;

bool is_asked_for(Kind kind, const std::vector<Kind>& kinds) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// Whether a change of figures is beyond all thresholds that apply to it.
bool is_beyond(const Change& change, const DiffRules& rules) {
    const double distance = std::abs(*change.new_value - *change.old_value);
    const double base = std::abs(*change.old_value);
    if (rules.threshold_percent && distance <= base * *rules.threshold_percent / 100) return false;
    return !(change.in_bytes && rules.threshold_bytes &&
             distance <= static_cast<double>(*rules.threshold_bytes));
}

bool matters(const Change& change, const DiffRules& rules) {
    // Another GPU or driver is no matter of degree.
    const bool of_degree =
        change.kind == Kind::bytes || change.kind == Kind::budget || change.kind == Kind::time;
    const bool figures = change.old_value && change.new_value;
    const bool thresholds = rules.threshold_percent || rules.threshold_bytes;
    if (!rules.fail_on.empty() && !is_asked_for(change.kind, rules.fail_on)) return false;
    if (of_degree && figures && !is_beyond(change, rules)) return false;
    // What has no figure of its own, such as a trace, shows in those that have.
    if (change.kind == Kind::bytes && !figures && thresholds) return false;
    if (!rules.fail_on.empty()) return true;
    if (change.kind == Kind::time) return figures && rules.threshold_percent;
    return change.matters;
}

}  // namespace

Difference judged(Difference difference, const DiffRules& rules) {
    for (Change& change : difference.changes) change.matters = matters(change, rules);
    return difference;
}

}  // namespace graphplan
