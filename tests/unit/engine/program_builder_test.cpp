#include "engine/program_builder.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("a program builder knows names, repeats and resources") {
    const Model model = make_model({R"({"op": "tanh", "x": "x", "out": "y"})", R"(["y"])",
                                    R"({"x": {"dtype": "f32", "shape": ["tokens"]}})",
                                    R"({"a": {"kind": "philox"}, "b": {"kind": "philox"}})"});
    WeightTable weights;
    ProgramBuilder builder(model, model.nodes[0], "", {2, 6}, weights);

    CHECK(evaluate("tokens/bs*width", builder.dimensions()) == 24);
    CHECK(builder.find("x") == nullptr);
    builder.bind("x", builder.make(DType::f32, {6}, 24, Counts::tokens));
    builder.bind("x", builder.make(DType::f32, {2}, 8, Counts::neither));
    CHECK(builder.find("x")->operand == Operand{Source::made, 1});

    CHECK(builder.repeat_index() == -1);
    builder.enter_repeat();
    builder.next_iteration();
    builder.enter_repeat();
    CHECK(evaluate("index", builder.dimensions()) == 0);
    CHECK(builder.weight_name("n", 0, "bias").name == "1.0/n#0.bias");
    CHECK(builder.weight_name("n", 0, "bias").stand_in == "**/n#0.bias");
    builder.leave_repeat();
    CHECK(evaluate("index", builder.dimensions()) == 1);
    builder.leave_repeat();
    CHECK_THROWS_AS(evaluate("index", builder.dimensions()), Error);

    CHECK(builder.count_occurrence("n") == 0);
    CHECK(builder.count_occurrence("n") == 1);
    CHECK(builder.count_occurrence("m") == 0);
    builder.touch_resource(1);
    builder.touch_resource(0);
    builder.touch_resource(1);
    builder.need_page_table(1, 4, Counts::rows);
    builder.need_page_table(1, 3, Counts::tokens);
    CHECK(builder.program().resources == std::vector<std::size_t>{0, 1});
    CHECK(builder.program().page_table_rows == std::vector<std::int64_t>{0, 4});
    CHECK(builder.program().page_table_counts[1] == Counts::rows);
}
