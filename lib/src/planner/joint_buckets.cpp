#include "planner/joint_buckets.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace graphplan {
namespace {

constexpr ItemIndex kMissing = std::numeric_limits<ItemIndex>::max();

}  // namespace

JointBuckets::JointBuckets(std::span<const Catalog> ranks)
    : ranks_(ranks), buckets_(ranks.size()), items_(ranks.size()) {
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) match(rank);
    for (std::vector<ItemIndex>& items : items_) items.resize(size_, kMissing);
}

void JointBuckets::match(std::size_t rank) {
    const Catalog& catalog = ranks_[rank];
    std::unordered_map<std::string, std::size_t> names;
    for (std::size_t pool = 0; pool < pools_.size(); ++pool) names.emplace(pools_[pool].name, pool);
    items_[rank].assign(size_, kMissing);
    buckets_[rank].resize(catalog.items().size());
    for (std::uint32_t index = 0; index < catalog.pool_count(); ++index) {
        const std::string& name = catalog.costs().pools[index].name;
        const auto [found, added] = names.emplace(name, pools_.size());
        if (added) pools_.push_back({name, {}, std::vector<std::optional<std::uint32_t>>(ranks_.size())});
        pools_[found->second].at[rank] = index;
        match_pool(pools_[found->second], rank, index);
    }
}

void JointBuckets::match_pool(Pool& pool, std::size_t rank, std::uint32_t index) {
    const Catalog& catalog = ranks_[rank];
    const std::map<BucketKey, std::uint32_t> known = known_in(pool, rank);
    for (ItemIndex item = catalog.first(index); item < catalog.first(index + 1); ++item) {
        const auto match = known.find(catalog[item].cost->id);
        if (match == known.end()) {
            pool.buckets.push_back(size_++);
            items_[rank].push_back(kMissing);
        }
        const std::uint32_t bucket = match == known.end() ? pool.buckets.back() : match->second;
        buckets_[rank][item] = bucket;
        items_[rank][bucket] = item;
    }
}

std::map<BucketKey, std::uint32_t> JointBuckets::known_in(const Pool& pool, std::size_t rank) const {
    std::map<BucketKey, std::uint32_t> known;
    for (const std::uint32_t bucket : pool.buckets) {
        for (std::size_t earlier = 0; earlier < rank; ++earlier) {
            if (const auto found = item(bucket, earlier))
                known.emplace(ranks_[earlier][*found].cost->id, bucket);
        }
    }
    return known;
}

std::optional<ItemIndex> JointBuckets::item(std::uint32_t bucket, std::size_t rank) const noexcept {
    if (bucket >= items_[rank].size() || items_[rank][bucket] == kMissing) return std::nullopt;
    return items_[rank][bucket];
}

std::vector<CaptureOrder> JointBuckets::orders() const {
    std::vector<std::uint32_t> standing(size_);
    std::uint32_t next = 0;
    for (const Pool& pool : pools_) {
        for (const std::uint32_t bucket : pool.buckets) standing[bucket] = next++;
    }
    std::vector<Bytes> largest(size_);
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        for (ItemIndex item = 0; item < ranks_[rank].items().size(); ++item) {
            Bytes& most = largest[standing[buckets_[rank][item]]];
            most = std::max(most, ranks_[rank][item].cost->graph_bytes.value_or(0));
        }
    }
    const std::vector<std::uint32_t> places = places_by_size(largest);
    std::vector<CaptureOrder> orders;
    for (const std::vector<std::uint32_t>& buckets : buckets_) {
        std::vector<std::uint32_t> of_rank(buckets.size());
        for (ItemIndex item = 0; item < of_rank.size(); ++item)
            of_rank[item] = places[standing[buckets[item]]];
        orders.emplace_back(std::move(of_rank));
    }
    return orders;
}

}  // namespace graphplan
