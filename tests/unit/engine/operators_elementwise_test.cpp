#include "families.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

ModelText inputs() {
    ModelText text;
    text.inputs =
        R"({"ids": {"dtype": "i32", "shape": ["tokens"]}, "x": {"dtype": "f32", "shape": ["tokens", 8]},
                      "odd": {"dtype": "f32", "shape": ["tokens", 7]}, "half": {"dtype": "f16", "shape": ["tokens", 8]}})";
    return text;
}

}  // namespace

TEST_CASE("operators by element keep the shape, a gate halves it") {
    check_shapes(inputs(), {{R"({"op": "silu_mul", "x": "x", "out": "y"})", {6, 4}},
                            {R"({"op": "gelu", "x": "x", "out": "y"})", {6, 8}},
                            {R"({"op": "leaky_relu", "x": "half", "slope": 0.2, "out": "y"})", {6, 8}},
                            {R"({"op": "tanh", "x": "x", "out": "y"})", {6, 8}},
                            {R"({"op": "add", "x": "x", "y": "x", "out": "y"})", {6, 8}},
                            {R"({"op": "mul", "x": "odd", "y": "odd", "out": "y"})", {6, 7}},
                            {R"({"op": "softmax", "x": "x", "out": "y"})", {6, 8}},
                            {R"({"op": "all_reduce", "x": "x", "out": "y"})", {6, 8}}});
}

TEST_CASE("operators by element refuse what does not match") {
    check_errors(inputs(),
                 {{R"({"op": "silu_mul", "x": "odd", "out": "y"})", "expected an even last dimension"},
                  {R"({"op": "add", "x": "x", "y": "odd", "out": "y"})",
                   R"("add" has y = "odd", f32 [6, 7] at bs=2 tokens=6; expected what x is, f32 [6, 8])"},
                  {R"({"op": "mul", "x": "x", "y": "half", "out": "y"})", "expected what x is, f32 [6, 8]"},
                  {R"({"op": "gelu", "x": "ids", "out": "y"})", "expected f32, f16 or bf16"}});
}
