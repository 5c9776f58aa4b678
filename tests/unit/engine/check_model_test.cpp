#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("check_model finds what contradicts itself, in structure and in shapes") {
    const ModelText good{R"({"op": "tanh", "x": "x", "out": "y"})"};
    CHECK_NOTHROW(check_model(make_model(good)));
    Model model = make_model(good);
    model.dims["index"] = 1;
    CHECK(contains(message_of([&] { check_model(model); }), "model.json: /dims/index"));
    model = make_model(good);
    std::get<Operator>(model.nodes[0].walks[0].second.program[0].what).op = "tan";
    CHECK(contains(message_of([&] { check_model(model); }), "unknown operator"));
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
