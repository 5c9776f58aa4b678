#include "engine/forwards.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("a forward is found by its node, kind and name, or told what there is") {
    ModelText text{R"({"op": "tanh", "x": "x", "out": "y"})"};
    text.regions = R"({"r": )" + text.walk() + "}";
    const Model model = make_model(text);
    CHECK(forwards_of(model.nodes[0]).size() == 2);

    const auto failure = [&](const std::string& target) {
        const Buckets buckets = make_buckets("{" + target + R"(, "kind": "batched", "batch_sizes": [1]})");
        return message_of([&] { find_forward(model, buckets, buckets.captures[0]); });
    };
    CHECK(failure(R"("node": "n", "walk": "w")").empty());
    CHECK(failure(R"("node": "n", "region": "r")").empty());
    CHECK(failure(R"("node": "m", "walk": "w")") ==
          R"(buckets.json: /captures/0/node: model "m" has no node "m"; it has n. Did you mean "n"?)");
    CHECK(contains(failure(R"("node": "n", "walk": "r")"),
                   R"(/captures/0/walk: node "n" has no walk "r"; it has w)"));
    CHECK(contains(failure(R"("node": "n", "region": "w")"), R"(node "n" has no region "w"; it has r)"));
}

TEST_CASE("a model by itself is tried at shapes that may suit it") {
    const auto suits = [](const std::string& reshape) {
        ModelText text{R"({"op": "reshape", "x": "x", "shape": )" + reshape + R"(, "out": "y"})"};
        text.dims = R"({"width": 8, "patches": 577})";
        const Model model = make_model(text);
        WeightTable weights;
        return message_of([&] { lower_at_some_shape(model, forwards_of(model.nodes[0])[0], weights); })
            .empty();
    };
    CHECK(suits(R"(["bs", "width"])"));
    CHECK(suits(R"(["bs", "tokens/bs", 8])"));
    CHECK(suits(R"(["tokens/16", 128])"));
    CHECK(suits(R"(["bs", 577, 8])"));
    CHECK(suits(R"(["bs", "7*7", 8])"));
    CHECK_FALSE(suits(R"(["tokens", 9])"));
}
