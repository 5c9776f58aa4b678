#include "planner/plan_writer.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "planner/checked.hpp"

namespace graphplan {
namespace {

/// Ranks may differ in slots and bytes, each of which was checked alone.
Bytes whole(BufferSize size) {
    if (const auto bytes = checked_bytes(size)) return *bytes;
    throw Error(ErrorCode::invalid_document,
                fmt::format("{} slots of {} for shared outputs take more than any device has: check that the "
                            "ranks' costs are of one model",
                            size.slots, format_bytes(size.slot_bytes)));
}

Bytes sum_of(const std::vector<OutputBuffer>& buffers) {
    Bytes sum = 0;
    for (const OutputBuffer& buffer : buffers) sum = saturating_add(sum, buffer.bytes);
    return sum;
}

}  // namespace

PlanWriter::PlanWriter(std::deque<RankChoice>& ranks, const JointBuckets& joint, const RankRules& rules)
    : ranks_(ranks), joint_(joint), rules_(rules), orders_(joint.orders()), added_(joint.size()) {}

Plan PlanWriter::write() {
    agree();
    Plan plan;
    plan.memory_model = rules_.model;
    plan.outputs = ranks_[0].catalog().outputs();
    plan.budget = budgets_[tightest_];
    for (const JointBuckets::Pool& each : joint_.pools()) plan.pools.push_back(pool(each));
    if (ranks_.size() > 1) {
        for (const Budget& budget : budgets_) plan.ranks.push_back({budget, {}});
    }
    return plan;
}

void PlanWriter::agree() {
    std::int64_t chosen = 0;
    for (const Choice& choice : ranks_[0].choices()) {
        const std::uint32_t bucket = joint_.bucket(choice.item, 0);
        bool everywhere = true;
        for (std::size_t rank = 1; rank < ranks_.size() && everywhere; ++rank) {
            const auto item = joint_.item(bucket, rank);
            everywhere = item && ranks_[rank].has(*item);
        }
        if (everywhere) added_[bucket] = {choice.cost, chosen++};
    }
    if (ranks_.size() > 1) return work_out_again();
    figures_.push_back(&ranks_[0].search());
    budgets_.push_back(ranks_[0].budget());
}

void PlanWriter::work_out_again() {
    std::vector<std::vector<Bytes>> costs(ranks_.size());
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        again_.push_back(make_search(rules_.model, ranks_[rank].catalog(), rules_.reuse, orders_[rank]));
        figures_.push_back(again_.back().get());
        budgets_.push_back(ranks_[rank].budget());
        budgets_[rank].room_left_bytes = budgets_[rank].room_bytes;
        for (const Choice& choice : ranks_[0].choices()) {
            const std::uint32_t bucket = joint_.bucket(choice.item, 0);
            if (added_[bucket].chosen < 0) continue;
            costs[rank].push_back(again_[rank]->take(*joint_.item(bucket, rank)));
            budgets_[rank].room_left_bytes -= costs[rank].back();
        }
        if (budgets_[rank].room_left_bytes < budgets_[tightest_].room_left_bytes) tightest_ = rank;
    }
    for (Added& added : added_) {
        if (added.chosen >= 0) added.bytes = costs[tightest_][static_cast<std::size_t>(added.chosen)];
    }
}

PoolPlan PlanWriter::pool(const JointBuckets::Pool& pool) {
    PoolPlan plan;
    plan.name = pool.name;
    std::vector<std::uint32_t> captured;
    for (const std::uint32_t bucket : pool.buckets) {
        if (added_[bucket].chosen < 0) {
            plan.eager.push_back(eager(bucket));
        } else {
            captured.push_back(bucket);
        }
    }
    set_figures(plan, pool, captured);
    // Every rank has the captured ones, so that rank 0's places order them.
    std::sort(captured.begin(), captured.end(), [&](std::uint32_t a, std::uint32_t b) {
        return orders_[0](*joint_.item(a, 0), *joint_.item(b, 0));
    });
    for (const std::uint32_t bucket : captured) {
        const BucketCost& of = cost(bucket);
        plan.captures.push_back({of.id, of.region, of.slots, added_[bucket].bytes, added_[bucket].chosen});
    }
    return plan;
}

// The buffers are as large as any rank needs, so that one plan holds on every rank: beside what the largest
// pool takes without its own.
void PlanWriter::set_figures(PoolPlan& plan, const JointBuckets::Pool& pool,
                             const std::vector<std::uint32_t>& captured) {
    plan.output_buffers = buffers(captured, 0, ranks_.size());
    const Bytes joint = sum_of(plan.output_buffers);
    Bytes ascending = 0;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        if (!pool.at[rank]) continue;
        const PoolFigures figures = figures_[rank]->figures(*pool.at[rank]);
        const Bytes more = joint - sum_of(buffers(captured, rank, rank + 1));
        plan.predicted_bytes = std::max(plan.predicted_bytes, saturating_add(figures.predicted, more));
        plan.outside_bytes = std::max(plan.outside_bytes, figures.outside);
        ascending =
            std::max(ascending, saturating_add(figures_[rank]->predicted_ascending(*pool.at[rank]), more));
    }
    if (ascending == plan.predicted_bytes) return;
    plan.predicted_bytes_ascending = ascending;
    const Bytes more = ascending - plan.predicted_bytes;
    warnings_.push_back(fmt::format(
        "pool {} takes {} in a ReplaySession, and in PyTorch where the driver places new segments "
        "below the ones before; {} where it places them above{}",
        quoted(pool.name), format_bytes(plan.predicted_bytes), format_bytes(ascending),
        more > 0 ? fmt::format(": leave {} spare there", format_bytes(more)) : ""));
}

/// Of captured buckets in sizing order: every rank has these.
std::vector<OutputBuffer> PlanWriter::buffers(const std::vector<std::uint32_t>& captured, std::size_t first,
                                              std::size_t last) const {
    if (ranks_[0].catalog().outputs() == Outputs::per_graph) return {};
    std::vector<std::uint32_t> walks;
    std::unordered_map<std::uint32_t, std::pair<const BucketKey*, BufferSize>> sizes;
    for (const std::uint32_t bucket : captured) {
        const Item& item = ranks_[0].catalog()[*joint_.item(bucket, 0)];
        const auto [known, added] = sizes.try_emplace(item.walk, &item.cost->id, BufferSize{});
        if (added) walks.push_back(item.walk);
        BufferSize& size = known->second.second;
        for (std::size_t rank = first; rank < last; ++rank)
            size = larger(size, ranks_[rank].catalog()[*joint_.item(bucket, rank)].buffer);
    }
    std::vector<OutputBuffer> buffers;
    for (const std::uint32_t walk : walks) {
        const auto& [id, size] = sizes.at(walk);
        if (size.slot_bytes == 0) continue;
        buffers.push_back({id->walk, id->key, size.slots, size.slot_bytes, whole(size)});
    }
    return buffers;
}

const BucketCost& PlanWriter::cost(std::uint32_t bucket) const {
    for (std::size_t rank = 0;; ++rank) {
        if (const auto item = joint_.item(bucket, rank)) return *ranks_[rank].catalog()[*item].cost;
    }
}

EagerBucket PlanWriter::missing_on(std::uint32_t bucket, std::size_t rank) const {
    EagerBucket eager;
    eager.id = cost(bucket).id;
    eager.region = cost(bucket).region;
    eager.reason = EagerReason::dropped_on_rank;
    eager.rank = static_cast<std::int64_t>(rank);
    eager.detail = fmt::format("rank {} has no such bucket", rank);
    return eager;
}

EagerBucket PlanWriter::eager(std::uint32_t bucket) {
    const auto own = joint_.item(bucket, 0);
    if (!own) return missing_on(bucket, 0);
    if (!ranks_[0].has(*own)) return ranks_[0].reason(*own);
    std::size_t rank = 1;
    while (joint_.item(bucket, rank) && ranks_[rank].has(*joint_.item(bucket, rank))) ++rank;
    const auto item = joint_.item(bucket, rank);
    if (!item) return missing_on(bucket, rank);
    EagerBucket eager = ranks_[rank].reason(*item);
    eager.reason = EagerReason::dropped_on_rank;
    eager.rank = static_cast<std::int64_t>(rank);
    return eager;
}

}  // namespace graphplan
