#include "families.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

ModelText inputs() {
    ModelText text;
    text.inputs =
        R"({"x": {"dtype": "f32", "shape": ["tokens", 8]}, "rows": {"dtype": "f32", "shape": ["bs", 8]}})";
    return text;
}

}  // namespace

TEST_CASE("operators on shapes give their shapes") {
    check_shapes(inputs(),
                 {{R"({"op": "cast", "x": "x", "dtype": "bf16", "out": "y"})", {6, 8}},
                  {R"({"op": "split", "x": "x", "sizes": [2, "width-2"], "outs": ["a", "y"]})", {6, 6}},
                  {R"({"op": "last_rows", "x": "x", "out": "y"})", {2, 8}}});
}

TEST_CASE("a split is a slice for each piece, a reshape is nothing at all") {
    ModelText text = inputs();
    text.program = R"({"op": "split", "x": "x", "sizes": [2, 5, 1], "outs": ["a", "b", "y"]},
                      {"op": "reshape", "x": "y", "shape": ["tokens"], "out": "y"})";
    const LoweredProgram program = lower_walk(make_model(text), {2, 6});
    REQUIRE(program.calls.size() == 3);
    CHECK(program.calls[0].call.parameters.offset == 0);
    CHECK(program.calls[1].call.parameters.offset == 2);
    CHECK(program.calls[2].call.parameters.offset == 7);
    CHECK(program.outputs[0].shape == Shape{6});
    CHECK(program.outputs[0].operand == Operand{Source::made, 2});
}

TEST_CASE("operators on shapes refuse what does not fit") {
    check_errors(
        inputs(),
        {{R"({"op": "cast", "x": "x", "dtype": "fp8", "out": "y"})", R"("fp8", expected f32, f16, bf16)"},
         {R"({"op": "split", "x": "x", "sizes": [2, 5], "outs": ["a", "y"]})", "the sizes' sum, 7"},
         {R"({"op": "split", "x": "x", "sizes": [2, 9007199254740992], "outs": ["a", "y"]})",
          "the sizes' sum"},
         {R"({"op": "split", "x": "x", "sizes": [2, 6], "outs": ["y"]})", "1 names for 2 sizes"},
         {R"({"op": "reshape", "x": "x", "shape": ["tokens", 7], "out": "y"})", "as many elements as [6, 7]"},
         {R"({"op": "last_rows", "x": "rows", "out": "y"})", "one row for each of the walk's tokens"}});
}
