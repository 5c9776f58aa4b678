#include "documents/distinct.hpp"

#include <functional>

#include <fmt/format.h>

#include "base/text.hpp"

namespace graphplan::documents {

void DistinctNames::add(std::string name, std::string_view what, const Value& place) {
    const auto [it, is_new] = places_.try_emplace(std::move(name), place.index());
    if (is_new) return;
    place.fail(fmt::format("{} {} stands twice, first at {}", what, quoted(it->first),
                           place.document().tree().pointer(it->second)));
}

void DistinctBuckets::add(const BucketKey& bucket, const Value& place) {
    const auto [it, is_new] = places_.try_emplace(&bucket, place.index());
    if (is_new) return;
    place.fail(fmt::format("bucket {} stands twice, first at {}", to_string(bucket),
                           place.document().tree().pointer(it->second)));
}

std::size_t DistinctBuckets::Hash::operator()(const BucketKey* bucket) const noexcept {
    std::size_t hash = std::hash<std::string>{}(bucket->walk);
    const auto mix = [&](std::size_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15u + (hash >> 29); };
    mix(bucket->key ? std::hash<std::string>{}(*bucket->key) : 0);
    mix(static_cast<std::size_t>(bucket->bs));
    mix(static_cast<std::size_t>(bucket->tokens));
    return hash;
}

}  // namespace graphplan::documents
