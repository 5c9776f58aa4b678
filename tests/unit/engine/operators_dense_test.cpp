#include "families.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

ModelText inputs() {
    ModelText text;
    text.inputs =
        R"({"ids": {"dtype": "i32", "shape": ["tokens"]}, "x": {"dtype": "f32", "shape": ["tokens", 8]},
                      "heads": {"dtype": "f32", "shape": ["tokens", 2, 4]}, "none": {"dtype": "f32", "shape": []}})";
    return text;
}

}  // namespace

TEST_CASE("operators with weights give their shapes and count their parameters") {
    check_shapes(
        inputs(),
        {{R"({"op": "embedding", "x": "ids", "features": 8, "rows": 100, "out": "y"})", {6, 8}, 800},
         {R"({"op": "linear", "x": "x", "features": 3, "out": "y"})", {6, 3}, 24},
         {R"({"op": "linear", "x": "heads", "features": 3, "bias": true, "out": "y"})", {6, 2, 3}, 15},
         {R"({"op": "rms_norm", "x": "heads", "out": "y"})", {6, 2, 4}, 4},
         {R"({"op": "layer_norm", "x": "x", "eps": 1e-6, "out": "y"})", {6, 8}, 16}});
}

TEST_CASE("operators with weights refuse what they cannot take") {
    check_errors(
        inputs(),
        {{R"({"op": "embedding", "x": "x", "features": 8, "rows": 9, "out": "y"})", "expected i32 or i64"},
         {R"({"op": "linear", "x": "ids", "features": 3, "out": "y"})", "expected f32, f16 or bf16"},
         {R"({"op": "linear", "x": "none", "features": 3, "out": "y"})", "at least one dimension"},
         {R"({"op": "layer_norm", "x": "ids", "out": "y"})", "expected f32, f16 or bf16"}});
}
