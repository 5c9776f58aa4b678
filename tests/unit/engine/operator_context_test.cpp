#include "engine/operator_context.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("wrong attributes are named with their place, what was found and what was expected") {
    struct Case {
        std::string step, words;
    };
    const Case cases[] = {
        {R"({"op": "linear", "x": "x", "out": "y"})",
         R"(program/0: "linear" needs "features", a whole number)"},
        {R"({"op": "tanh", "out": "y"})", R"(needs "x", the name of a tensor)"},
        {R"({"op": "linear", "x": "x", "featurs": 8, "out": "y"})",
         R"(has no attribute "featurs"; it takes x, features, bias, out, weight. Did you mean "features"?)"},
        {R"({"op": "tanh", "x": "x", "weight": "w", "out": "y"})", R"(has no attribute "weight")"},
        {R"({"op": "linear", "x": "x", "features": 8.5, "out": "y"})",
         R"(program/0/features: "linear": found a fraction, expected a whole number or an expression)"},
        {R"({"op": "linear", "x": "x", "features": 0, "out": "y"})", "0, expected a whole number from 1"},
        {R"({"op": "linear", "x": "x", "features": "width-8", "out": "y"})",
         "0, expected a whole number from 1"},
        {R"({"op": "linear", "x": "x", "features": "widht", "out": "y"})",
         R"(program/0/features: "linear": )"},
        {R"({"op": "linear", "x": "x", "features": 8, "bias": 1, "out": "y"})",
         "found a whole number, expected true or false"},
        {R"({"op": "linear", "x": "x", "features": 8, "weight": 3, "out": "y"})", "program/0/weight"},
        {R"({"op": "rms_norm", "x": "x", "eps": "small", "out": "y"})", "found a string, expected a number"},
        {R"({"op": "tanh", "x": ["x"], "out": "y"})", "found a list, expected the name of a tensor"},
        {R"({"op": "split", "x": "x", "sizes": 8, "outs": ["y"]})", "expected a list of whole numbers"},
        {R"({"op": "split", "x": "x", "sizes": [8], "outs": "y"})", "expected a list of names of tensors"},
        {R"({"op": "linear", "x": "x", "features": 4503599627370496, "out": "y"})", "at most 8 TiB"},
    };
    for (const Case& c : cases) {
        INFO(c.step);
        const std::string message = message_of([&] { lower_walk(make_model({c.step}), {4, 4}); });
        INFO(message);
        CHECK(contains(message, "model.json: /nodes/0/walks/w/program/0"));
        CHECK(contains(message, c.words));
        CHECK(message.size() < 4000);
    }
}

TEST_CASE("a shape that does not fit is told with the bucket that it was worked out for") {
    const std::string message = message_of([&] {
        lower_walk(make_model({R"({"op": "last_rows", "x": "flat", "out": "y"})", R"(["y"])",
                               R"({"flat": {"dtype": "f32", "shape": ["bs", 8]}})"}),
                   {2, 6});
    });
    CHECK(contains(message, R"("last_rows" has x = "flat", f32 [2, 8] at bs=2 tokens=6; expected one row)"));
}

TEST_CASE("many tensors are not all listed") {
    std::string program;
    for (int i = 0; i < 40; ++i) {
        program += R"({"op": "tanh", "x": "x", "out": "t)" + std::to_string(i) + R"("}, )";
    }
    program += R"({"op": "tanh", "x": "missing", "out": "y"})";
    const std::string message = message_of([&] { lower_walk(make_model({program}), {4, 4}); });
    CHECK(contains(message, "… (41 in all)"));
}
