#include "engine/structure.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("check_structure refuses models that contradict themselves") {
    const ModelText good{R"({"op": "tanh", "x": "x", "out": "y"})"};
    CHECK_NOTHROW(check_structure(make_model(good)));
    const auto failure = [&](const auto& change) {
        Model model = make_model(good);
        change(model);
        return message_of([&] { check_structure(model); });
    };
    CHECK(contains(failure([](Model& m) { m.nodes.push_back(m.nodes[0]); }), R"(a second node "n")"));
    CHECK(
        contains(failure([](Model& m) { m.nodes[0].regions = m.nodes[0].walks; }), "share one set of names"));
    CHECK(contains(failure([](Model& m) { m.nodes[0].walks[0].second.outputs.clear(); }),
                   "model.json: /nodes/0/walks/w/outputs: no outputs"));
    CHECK(contains(failure([](Model& m) { m.dims["index"] = 1; }), "model.json: /dims/index"));
    CHECK(contains(
        failure([](Model& m) {
            m.nodes[0].resources.emplace_back("kv", Resource{ResourceKind::paged_kv, {}, true, false, "/kv"});
        }),
        "a paged_kv needs"));
}
