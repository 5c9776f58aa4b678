#include "planner/unmet.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "planner/must.hpp"

namespace graphplan {
namespace {

std::string reason_of(const EagerBucket& eager) {
    std::string text(to_string(eager.reason));
    if (eager.rank) text += fmt::format(" {}", *eager.rank);
    if (eager.needs_bytes && eager.short_bytes) {
        text += fmt::format(": needs {}, short by {} ({} bytes)", format_bytes(*eager.needs_bytes),
                            format_bytes(*eager.short_bytes), *eager.short_bytes);
    }
    if (eager.detail) text += fmt::format(": {}", shortened(*eager.detail, 200));
    return text;
}

void add_must_lines(const Plan& plan, const PlanOptions& options, std::vector<std::string>& lines) {
    for (const MustCapture& must : options.must) {
        for (const PoolPlan& pool : plan.pools) {
            for (const EagerBucket& eager : pool.eager) {
                if (!matches(must, eager.id)) continue;
                lines.push_back(fmt::format("--must {}: {}: {} stays eager: {}",
                                            shortened(to_string(must), 120), shortened(pool.name, 120),
                                            shortened(to_string(eager.id), 200), reason_of(eager)));
            }
        }
    }
}

void add_require_all_line(const Plan& plan, std::vector<std::string>& lines) {
    std::size_t buckets = 0;
    std::size_t left_out = 0;
    std::string first;
    bool weighed = true;  // the first one so far is only not worth its memory, which nobody asked
    for (const PoolPlan& pool : plan.pools) {
        buckets += pool.captures.size() + pool.eager.size();
        for (const EagerBucket& eager : pool.eager) {
            if (eager.reason == EagerReason::denied) continue;
            const bool is_weighed = eager.reason == EagerReason::not_worth_it;
            if (left_out++ == 0 || (weighed && !is_weighed)) {
                weighed = is_weighed;
                first = fmt::format("{}: {}: {}", shortened(pool.name, 120),
                                    shortened(to_string(eager.id), 200), reason_of(eager));
            }
        }
    }
    if (left_out == 0) return;
    lines.push_back(
        fmt::format("--require-all: {} of {} buckets stay eager, first {}", left_out, buckets, first));
}

}  // namespace

std::vector<std::string> unmet_demands(const Plan& plan, const PlanOptions& options,
                                       const std::deque<RankChoice>& ranks) {
    std::vector<std::string> lines;
    add_must_lines(plan, options, lines);
    if (options.require_all) add_require_all_line(plan, lines);
    for (std::size_t rank = 0; rank < ranks.size() && !lines.empty(); ++rank) {
        const Bytes room = ranks[rank].budget().room_bytes;
        const Bytes total = ranks[rank].total(demanded(ranks[rank].catalog(), options));
        if (total <= room || !ranks[rank].floor_fits()) continue;
        const std::string where = ranks.size() > 1 ? fmt::format("rank {}: ", rank) : "";
        lines.push_back(fmt::format(
            "{}the demanded buckets take {} in all, {} ({} bytes) more than the room of {}", where,
            format_bytes(total), format_bytes(total - room), total - room, format_bytes(room)));
    }
    return lines;
}

}  // namespace graphplan
