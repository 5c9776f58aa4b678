#include "documents/distinct.hpp"

#include <array>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::documents;

namespace {

// Three values to stand for places.
Value place(Document& document, JsonTree::Index index) { return {document, index + 1}; }

}  // namespace

TEST_CASE("a name that stands twice is refused at its second place, naming the first") {
    Document document(test::document("[1,2,3]"), {});
    DistinctNames names;
    names.add("llm", "pool", place(document, 0));
    names.add("vision", "pool", place(document, 1));
    CHECK(names.contains("llm"));
    CHECK_FALSE(names.contains("audio"));
    test::check_failure([&] { names.add("llm", "pool", place(document, 2)); },
                        "t.json: /2: pool \"llm\" stands twice, first at /0");
}

TEST_CASE("buckets differ by walk, key, batch size and tokens") {
    Document document(test::document("[1,2,3]"), {});
    const std::array<BucketKey, 5> different{
        BucketKey{"decode", std::nullopt, 8, 8}, BucketKey{"decode", "cfg", 8, 8},
        BucketKey{"decode", std::nullopt, 8, 9}, BucketKey{"decode", std::nullopt, 9, 8},
        BucketKey{"prefill", std::nullopt, 8, 8}};
    DistinctBuckets buckets;
    for (const BucketKey& bucket : different) CHECK_NOTHROW(buckets.add(bucket, place(document, 0)));
    const BucketKey again{"decode", "cfg", 8, 8};
    test::check_failure([&] { buckets.add(again, place(document, 1)); },
                        "t.json: /1: bucket decode[cfg] bs=8 tokens=8 stands twice, first at /0");
}
