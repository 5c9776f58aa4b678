#include "planner/exact_search.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>

#include "planner/checked.hpp"

namespace graphplan {
namespace {

/// A replay runs every slot's events; one of more than this would take minutes.
constexpr std::int64_t kMostEvents = std::int64_t{1} << 26;

}  // namespace

ExactSearch::ExactSearch(const Catalog& catalog, const Reuse& reuse, const CaptureOrder& order)
    : catalog_(catalog), replay_(catalog), buffers_(catalog), executables_(catalog, reuse) {
    std::int64_t events = 0;
    for (ItemIndex item = 0; item < catalog.items().size(); ++item) {
        if (!catalog[item].cost->graph_bytes) continue;
        replay_.prepare(item);
        // A slot with no events takes a turn of the replay's loop too.
        const auto count = std::max<std::int64_t>(1, std::ssize(replay_.trace(item).events));
        const auto all = checked_multiply(count, catalog[item].cost->slots);
        events = saturating_add(events, all.value_or(kMaxBytes));
        if (events > kMostEvents) {
            throw Error(
                ErrorCode::invalid_document,
                fmt::format("{}: the traces of all slots hold more than {} events: plan with the memory "
                            "model segments",
                            catalog.name(item), kMostEvents));
        }
    }
    pools_.reserve(catalog.pool_count());
    for (std::size_t pool = 0; pool < catalog.pool_count(); ++pool)
        pools_.emplace_back(catalog, replay_, order);
}

void ExactSearch::offer(ItemIndex item) {
    candidates_.push_back({item, pools_[catalog_[item].pool].lower_bound(item), false});
}

Bytes ExactSearch::growth(ItemIndex item) const { return buffers_.growth(item) + executables_.growth(item); }

Bytes ExactSearch::cost_of(const Candidate& candidate) const {
    return candidate.pool_bytes - pools_[catalog_[candidate.item].pool].bytes() + growth(candidate.item);
}

void ExactSearch::replay(Candidate& candidate, Bytes most) {
    ExactPool& pool = pools_[catalog_[candidate.item].pool];
    // What the pool may take before the candidate costs more than `most`.
    const Bytes others = growth(candidate.item) - pool.bytes();
    const Bytes limit = most > kMaxBytes + std::min<Bytes>(others, 0) ? kMaxBytes : most - others;
    const auto bytes = pool.with(candidate.item, limit);
    candidate.replayed = bytes.has_value();
    candidate.pool_bytes = bytes.value_or(limit == kMaxBytes ? limit : limit + 1);
}

std::optional<Choice> ExactSearch::take_cheapest(Bytes room) {
    struct Rank {
        Bytes cost;
        std::uint32_t name;
        std::size_t candidate;
    };
    const auto later = [&](const Rank& a, const Rank& b) {
        return std::tuple(b.cost, b.name, candidates_[b.candidate].item) <
               std::tuple(a.cost, a.name, candidates_[a.candidate].item);
    };
    std::vector<Rank> ranks;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        ranks.push_back({cost_of(candidates_[i]), catalog_.name_rank(catalog_[candidates_[i].item].pool), i});
    }
    std::make_heap(ranks.begin(), ranks.end(), later);
    // A candidate that costs more than one replayed before it need not be replayed to its end.
    Bytes most = room;
    while (!ranks.empty() && ranks.front().cost <= room) {
        std::pop_heap(ranks.begin(), ranks.end(), later);
        Rank& best = ranks.back();
        const Candidate candidate = candidates_[best.candidate];
        if (candidate.replayed) {
            candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(best.candidate));
            take_with(candidate.item, candidate.pool_bytes);
            return Choice{candidate.item, best.cost};
        }
        replay(candidates_[best.candidate], most);
        best.cost = cost_of(candidates_[best.candidate]);
        if (candidates_[best.candidate].replayed) most = std::min(most, best.cost);
        std::push_heap(ranks.begin(), ranks.end(), later);
    }
    return std::nullopt;
}

void ExactSearch::take_with(ItemIndex item, Bytes pool_bytes) {
    const std::uint32_t pool = catalog_[item].pool;
    buffers_.take(item);
    executables_.take(item);
    pools_[pool].take(item, pool_bytes);
    for (Candidate& candidate : candidates_) {
        if (catalog_[candidate.item].pool != pool) continue;
        candidate = {candidate.item, pools_[pool].lower_bound(candidate.item), false};
    }
}

Bytes ExactSearch::cost(ItemIndex item) {
    ExactPool& pool = pools_[catalog_[item].pool];
    return *pool.with(item, kMaxBytes) - pool.bytes() + growth(item);
}

Bytes ExactSearch::take(ItemIndex item) {
    ExactPool& pool = pools_[catalog_[item].pool];
    const Bytes bytes = *pool.with(item, kMaxBytes);
    const Bytes paid = bytes - pool.bytes() + growth(item);
    take_with(item, bytes);
    return paid;
}

PoolFigures ExactSearch::figures(std::uint32_t pool) {
    return {pools_[pool].bytes() + buffers_.of_pool(pool), executables_.of_pool(pool)};
}

Bytes ExactSearch::predicted_ascending(std::uint32_t pool) {
    const auto bytes = replay_.run(pools_[pool].taken(), kMaxBytes, PretendedSegments::Direction::ascending);
    return *bytes + pools_[pool].outside_pool() + buffers_.of_pool(pool);
}

}  // namespace graphplan
