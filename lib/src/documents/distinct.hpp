// Finds what stands twice in a document.
#pragma once

#include <string>
#include <unordered_map>

#include "documents/value.hpp"
#include "graphplan/costs.hpp"

namespace graphplan::documents {

/// Names that must differ, such as those of pools.
class DistinctNames {
  public:
    /// `what` is what has the name, for the message: "pool".
    /// @throws Error invalid_document naming both places
    void add(std::string name, std::string_view what, const Value& place);
    bool contains(const std::string& name) const { return places_.contains(name); }

  private:
    std::unordered_map<std::string, JsonTree::Index> places_;
};

/// Buckets of one pool, which must differ in walk, key, bs or tokens.
class DistinctBuckets {
  public:
    /// `bucket` stays where it is as long as this lives.
    /// @throws Error invalid_document naming both places
    void add(const BucketKey& bucket, const Value& place);

  private:
    struct Hash {
        std::size_t operator()(const BucketKey* bucket) const noexcept;
    };
    struct Equal {
        bool operator()(const BucketKey* a, const BucketKey* b) const noexcept { return *a == *b; }
    };
    std::unordered_map<const BucketKey*, JsonTree::Index, Hash, Equal> places_;
};

}  // namespace graphplan::documents
