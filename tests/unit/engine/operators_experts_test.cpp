#include "families.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

ModelText inputs() {
    ModelText text;
    text.inputs =
        R"({"x": {"dtype": "f32", "shape": ["tokens", 8]}, "ids": {"dtype": "i32", "shape": ["tokens", 2]},
                      "few": {"dtype": "i32", "shape": ["bs", 2]}, "e": {"dtype": "f32", "shape": ["tokens", 2, 8]},
                      "w": {"dtype": "f32", "shape": ["tokens", 2]}, "w3": {"dtype": "f32", "shape": ["tokens", 3]}})";
    return text;
}

}  // namespace

TEST_CASE("experts give their shapes and count their parameters") {
    check_shapes(
        inputs(),
        {{R"({"op": "moe_router", "x": "x", "experts": 4, "top_k": 2, "weights_out": "y", "ids_out": "i"})",
          {6, 2},
          32},
         {R"({"op": "moe_experts", "x": "x", "ids": "ids", "experts": 4, "features": 16, "out": "y"})",
          {6, 2, 8},
          4 * 3 * 16 * 8},
         {R"({"op": "moe_combine", "x": "e", "weights": "w", "out": "y"})", {6, 8}}});
}

TEST_CASE("experts refuse what does not match") {
    check_errors(
        inputs(),
        {{R"({"op": "moe_router", "x": "x", "experts": 4, "top_k": 5, "weights_out": "y", "ids_out": "i"})",
          "5, expected at most the 4 experts"},
         {R"({"op": "moe_router", "x": "e", "experts": 4, "top_k": 2, "weights_out": "y", "ids_out": "i"})",
          "expected 2 dimensions"},
         {R"({"op": "moe_experts", "x": "x", "ids": "few", "experts": 4, "features": 16, "out": "y"})",
          "one row for each of the 6 tokens"},
         {R"({"op": "moe_experts", "x": "x", "ids": "w", "experts": 4, "features": 16, "out": "y"})",
          "expected i32 or i64"},
         {R"({"op": "moe_combine", "x": "e", "weights": "w3", "out": "y"})",
          "one weight for each expert's row"}});
}
