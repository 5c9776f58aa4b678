#include "engine/lowering.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

std::string failure(const ModelText& text, BucketShape shape = {4, 4}) {
    return message_of([&] { lower_walk(make_model(text), shape); });
}

}  // namespace

TEST_CASE("a tensor that nothing wrote is named with its place, and one that was meant") {
    const std::string message = failure({R"(
        {"op": "tanh", "x": "x", "out": "hidden"},
        {"repeat": 2, "program": [{"op": "tanh", "x": "hiden", "out": "y"}]})"});
    CHECK(contains(message, "model.json: /nodes/0/walks/w/program/1/program/0"));
    CHECK(contains(message, R"("tanh" reads "hiden" (x), which nothing wrote before it)"));
    CHECK(contains(message, "tensors here: hidden, x"));
    CHECK(contains(message, R"(Did you mean "hidden"?)"));
}

TEST_CASE("an unknown operator is named with its place and one that was meant") {
    const std::string message = failure({R"({"op": "tahn", "x": "x", "out": "y"})"});
    CHECK(contains(message, "model.json: /nodes/0/walks/w/program/0"));
    CHECK(contains(message, R"(unknown operator "tahn". Did you mean "tanh"?)"));
}

TEST_CASE("an output that no step makes is named with its place") {
    const std::string message = failure({R"({"op": "tanh", "x": "x", "out": "result"})", R"(["resul"])"});
    CHECK(contains(message, "model.json: /nodes/0/walks/w/outputs/0"));
    CHECK(contains(message, R"(Did you mean "result"?)"));
}

TEST_CASE("an input's shape must come out at every bucket") {
    ModelText text{R"({"op": "tanh", "x": "x", "out": "y"})"};
    text.inputs = R"({"x": {"dtype": "f32", "shape": ["tokens/3", 8]}})";
    const std::string message = failure(text, {4, 4});
    CHECK(contains(message, "model.json: /nodes/0/walks/w/inputs/x/shape"));
    CHECK(failure(text, {2, 6}).empty());
}

TEST_CASE("a repeat runs its steps, with its index in expressions and in the names of weights") {
    WeightTable weights;
    const LoweredProgram program = lower_walk(make_model({R"(
        {"repeat": 3, "program": [{"op": "linear", "x": "x", "features": "8+0*index", "out": "x"}]},
        {"op": "linear", "x": "x", "features": "width*2", "out": "y"})"}),
                                              {4, 4}, weights);
    CHECK(program.calls.size() == 4);
    CHECK(weights.weights().size() == 4);
    CHECK(program.outputs[0].shape == Shape{4, 16});
    CHECK(contains(failure({R"({"op": "linear", "x": "x", "features": "index", "out": "y"})"}), "index"));
}

TEST_CASE("steps that would run for ever are refused") {
    const std::string reshape = R"({"op": "reshape", "x": "x", "shape": ["tokens", 8], "out": "y"})";
    Model model = make_model({reshape});
    Step step = model.nodes[0].walks[0].second.program[0];
    for (int depth = 0; depth < 4; ++depth) step = Step{Repeat{"100000", {step}}, step.pointer};
    model.nodes[0].walks[0].second.program = {step};
    CHECK(contains(message_of([&] { lower_walk(model, {4, 4}); }), "steps by here"));
}

TEST_CASE("a first dimension counts what it is in proportion to, and not what has the same size") {
    const auto counts = [](const std::string& program, const BucketShape& shape) {
        ModelText text{program};
        text.inputs =
            R"({"x": {"dtype": "f32", "shape": ["tokens", 8]}, "r": {"dtype": "f32", "shape": ["bs", 8]},
                "v": {"dtype": "f32", "shape": ["tokens"]}, "c": {"dtype": "f32", "shape": [4, 4]}})";
        return lower_walk(make_model(text), shape).outputs.at(0).counts;
    };
    const auto reshape = [](const std::string& of, const std::string& shape) {
        return R"({"op": "reshape", "x": ")" + of + R"(", "shape": [)" + shape + R"(], "out": "y"})";
    };
    for (const BucketShape& shape : {BucketShape{4, 4}, BucketShape{2, 8}, BucketShape{1, 4}}) {
        CAPTURE(shape.bs, shape.tokens);
        CHECK(counts(R"({"op": "tanh", "x": "x", "out": "y"})", shape) == Counts::tokens);
        CHECK(counts(R"({"op": "tanh", "x": "r", "out": "y"})", shape) == Counts::rows);
        CHECK(counts(R"({"op": "tanh", "x": "c", "out": "y"})", shape) == Counts::neither);
        CHECK(counts(R"({"op": "last_rows", "x": "x", "out": "y"})", shape) == Counts::rows);
        CHECK(counts(R"({"op": "linear", "x": "r", "features": 4, "out": "y"})", shape) == Counts::rows);
        CHECK(counts(R"({"op": "linear", "x": "v", "features": 4, "out": "y"})", shape) == Counts::neither);
        CHECK(counts(R"({"op": "silu_mul", "x": "v", "out": "y"})", shape) == Counts::neither);
        CHECK(counts(reshape("r", R"("2*bs", 4)"), shape) == Counts::rows);
        CHECK(counts(reshape("x", R"("tokens/4", 32)"), shape) == Counts::tokens);
        CHECK(counts(reshape("x", R"("bs", "tokens/bs", 8)"), shape) == Counts::rows);
        CHECK(counts(reshape("x", R"(8, "tokens")"), shape) == Counts::neither);
    }
}
