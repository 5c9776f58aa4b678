#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

TEST_CASE("buckets come back as they were written") {
    const Buckets buckets = parse_buckets(example("buckets-1.0"), strict());
    const std::string text = to_json(buckets);
    const Buckets back = parse_buckets(document(text), strict());
    REQUIRE(back.captures.size() == buckets.captures.size());
    CHECK(to_json(back) == text);
    for (std::size_t i = 0; i < back.captures.size(); ++i) {
        const CaptureConfig &a = buckets.captures[i], &b = back.captures[i];
        CHECK(b.node == a.node);
        CHECK(b.walk == a.walk);
        CHECK(b.is_region == a.is_region);
        CHECK(shapes_of(b) == shapes_of(a));
        CHECK(b.slots == a.slots);
        CHECK(b.replay_walks == a.replay_walks);
        CHECK(b.key == a.key);
        CHECK(b.caps_eager_batch_size == a.caps_eager_batch_size);
        CHECK(b.denied == a.denied);
    }
}
