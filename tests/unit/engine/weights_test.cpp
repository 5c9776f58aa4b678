#include "engine/weights.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("walks that are written alike share weights") {
    const Model model = make_model({R"(
        {"repeat": 2, "program": [{"op": "rms_norm", "x": "x", "out": "n"},
                                  {"op": "linear", "x": "n", "features": 8, "out": "x"},
                                  {"op": "rms_norm", "x": "x", "out": "n"},
                                  {"op": "linear", "x": "n", "features": 8, "bias": true, "out": "x"}]},
        {"op": "rms_norm", "x": "x", "out": "y"})"});
    WeightTable weights;
    lower_walk(model, {1, 1}, weights);
    CHECK(weights.weights().size() == 2 * (1 + 1 + 1 + 2) + 1);
    CHECK(weights.parameters() == 2 * (8 + 64 + 8 + 64 + 8) + 8);
    lower_walk(model, {4, 4}, weights);
    CHECK(weights.weights().size() == 11);
}

TEST_CASE("a named weight is one weight wherever it is named") {
    ModelText text{
        R"({"op": "embedding", "x": "ids", "features": 8, "rows": 100, "weight": "table", "out": "h"},
                      {"op": "linear", "x": "h", "features": 100, "weight": "table", "out": "y"})"};
    text.inputs = R"({"ids": {"dtype": "i32", "shape": ["tokens"]}})";
    CHECK(count_parameters(make_model(text)) == 800);

    text.program.replace(text.program.find("100, \"weight\": \"table\", \"out\": \"y\""), 3, "101");
    const std::string message = message_of([&] { lower_walk(make_model(text), {4, 4}); });
    CHECK(contains(message, "model.json: /nodes/0/walks/w/program/1/weight"));
    CHECK(contains(message, "f32 [101, 8] here and f32 [100, 8]"));
}

TEST_CASE("a region's weights are its own unless they are named") {
    ModelText text{R"({"op": "linear", "x": "x", "features": 8, "out": "y"})"};
    text.regions = R"({"r": )" + text.walk() + "}";
    CHECK(count_parameters(make_model(text)) == 2 * 64);
    text.program = R"({"op": "linear", "x": "x", "features": 8, "weight": "shared", "out": "y"})";
    text.regions = R"({"r": )" + text.walk() + "}";
    CHECK(count_parameters(make_model(text)) == 64);
}
