#include "planner/budget.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "planner/checked.hpp"

namespace graphplan {
namespace {

std::string source_of(const Costs& costs) {
    return costs.source.empty() ? "costs" : shortened(costs.source, 200);
}

void set_free(Budget& budget, const Costs& costs, const PlanOptions& options) {
    budget.source = options.free_bytes     ? "--free-mib"
                    : options.same_process ? "free_bytes"
                                           : "free_bytes_before";
    const auto& measured = options.same_process ? costs.free_bytes : costs.free_bytes_before;
    const auto& free = options.free_bytes ? options.free_bytes : measured;
    if (!free) {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("{}: no {}, so the free memory is not known: give it with --free-mib N",
                                source_of(costs), budget.source));
    }
    if (*free < 0) {
        throw Error(ErrorCode::invalid_argument, fmt::format("{} bytes free, expected at least 0", *free));
    }
    budget.free_bytes = *free;
}

void limit_free(Budget& budget, const Costs& costs, double fraction) {
    if (!(fraction > 0 && fraction <= 1)) {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("--fraction is {}, expected more than 0 and at most 1", fraction));
    }
    const auto& total = costs.provenance.device_total_bytes;
    if (!total) {
        throw Error(
            ErrorCode::invalid_argument,
            fmt::format("{}: --fraction needs the device's total memory (/provenance/device/total_bytes), "
                        "which the costs do not name: give --free-mib alone",
                        source_of(costs)));
    }
    const auto allowed =
        static_cast<Bytes>(std::floor(static_cast<long double>(fraction) * static_cast<long double>(*total)));
    const Bytes in_use = checked_difference(*total, budget.free_bytes, "memory in use");
    budget.fraction = fraction;
    budget.free_bytes = std::min(budget.free_bytes, checked_difference(allowed, in_use, "memory allowed"));
}

}  // namespace

Budget budget_of(const Costs& costs, Bytes floor, const PlanOptions& options) {
    Budget budget;
    set_free(budget, costs, options);
    if (options.fraction) limit_free(budget, costs, *options.fraction);
    budget.floor_bytes = floor;
    budget.one_off_bytes = options.same_process ? 0 : costs.one_off_bytes;
    const Bytes beside_floor = checked_difference(budget.free_bytes, floor, "free memory and floor");
    budget.room_bytes = checked_difference(beside_floor, budget.one_off_bytes, "room and one-off");
    budget.room_left_bytes = budget.room_bytes;
    return budget;
}

}  // namespace graphplan
