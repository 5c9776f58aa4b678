#include "engine/sample_shapes.hpp"

#include <algorithm>

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("sample shapes are few, differ, and have what constants suggest") {
    ModelText text{R"({"repeat": 2, "program": [{"op": "reshape", "x": "x", "shape": ["bs", "7*7", "width"],
                       "out": "y"}]})"};
    text.inputs = R"({"x": {"dtype": "f32", "shape": ["tokens/33*33", 8]}})";
    text.dims = R"({"width": 8, "patches": 577, "huge": 9007199254740992})";
    const Model model = make_model(text);
    const auto shapes = sample_shapes(model, model.nodes[0].walks[0].second);
    CHECK(shapes[0] == BucketShape{2, 2});
    for (const std::int64_t tokens : {80640, 33, 49, 7, 8, 577}) {
        INFO(tokens);
        CHECK(std::count(shapes.begin(), shapes.end(), BucketShape{2, 2 * tokens}) == 1);
    }
    CHECK(shapes.size() == 7);
}

TEST_CASE("sample shapes end") {
    ModelText text{R"({"op": "tanh", "x": "x", "out": "y"})"};
    text.dims = R"({"d0": 1)";
    for (int i = 1; i < 1000; ++i) text.dims += ", \"d" + std::to_string(i) + "\": " + std::to_string(i + 1);
    text.dims += "}";
    const Model model = make_model(text);
    CHECK(sample_shapes(model, model.nodes[0].walks[0].second).size() == 64);
}
