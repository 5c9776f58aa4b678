#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("check_model refuses models that contradict themselves") {
    const ModelText good{R"({"op": "tanh", "x": "x", "out": "y"})"};
    CHECK_NOTHROW(check_model(make_model(good)));
    const auto failure = [&](const auto& change) {
        Model model = make_model(good);
        change(model);
        return message_of([&] { check_model(model); });
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
    CHECK(contains(
        failure([](Model& m) { std::get<Operator>(m.nodes[0].walks[0].second.program[0].what).op = "tan"; }),
        "unknown operator"));
}

TEST_CASE("count_parameters counts each weight of each node once") {
    Model model = make_model({R"({"op": "linear", "x": "x", "features": 8, "out": "y"})"});
    CHECK(count_parameters(model) == 64);
    model.nodes[0].walks.emplace_back("again", model.nodes[0].walks[0].second);
    CHECK(count_parameters(model) == 64);
    model.nodes.push_back(model.nodes[0]);
    model.nodes[1].name = "other";
    CHECK(count_parameters(model) == 128);
}
