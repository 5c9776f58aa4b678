#include "engine/bucket_specs.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("buckets stand in sizing order: walks together, then region by region") {
    ModelText text{R"({"op": "tanh", "x": "x", "out": "y"})"};
    text.regions = R"({"r": )" + text.walk() + R"(, "s": )" + text.walk() + "}";
    Model model = make_model(text);
    model.nodes[0].walks.emplace_back("v", model.nodes[0].walks[0].second);
    model.nodes.push_back(model.nodes[0]);
    model.nodes[1].name = "second";
    const Buckets buckets = make_buckets(R"(
        {"node": "second", "walk": "w", "kind": "batched", "batch_sizes": [1]},
        {"node": "n", "region": "s", "kind": "batched", "batch_sizes": [1, 64]},
        {"node": "n", "walk": "w", "kind": "batched", "batch_sizes": [1, 4], "slots": 2},
        {"node": "n", "region": "r", "kind": "batched", "batch_sizes": [128]},
        {"node": "n", "walk": "v", "kind": "packed", "batch_sizes": [1, 4], "token_lengths": [4, 16],
         "capture": "deny"})");
    const std::vector<BucketSpec> specs = bucket_specs(model, buckets);
    std::vector<std::string> order;
    for (const BucketSpec& spec : specs) order.push_back(spec.pool + " " + to_string(spec.id));
    CHECK(order == std::vector<std::string>{"n v bs=4 tokens=16", "n w bs=4 tokens=4", "n v bs=4 tokens=4",
                                            "n v bs=1 tokens=16", "n v bs=1 tokens=4", "n w bs=1 tokens=1",
                                            "n s bs=64 tokens=64", "n s bs=1 tokens=1",
                                            "n r bs=128 tokens=128", "second w bs=1 tokens=1"});
    CHECK(specs[0].denied);
    CHECK(specs[1].slots == 2);
    CHECK(specs[1].capture == 2);
    CHECK(specs[6].is_region);
    CHECK(captures(buckets, forwards_of(model.nodes[0])[0]));
    CHECK_FALSE(captures(buckets, forwards_of(model.nodes[1])[1]));
}
