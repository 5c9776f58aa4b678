#include <string>

#include "model_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

TEST_CASE("a forward has inputs in order, a program and outputs") {
    const Forward forward =
        read_model(
            replaced(
                kModel, R"({"ids":{"dtype":"i32","shape":["tokens"]}})",
                R"({"ids":{"dtype":"i32","shape":["tokens"]},"a":{"dtype":"f32","shape":["bs",3,"hidden*2"]},
                                "scalar":{"dtype":"f32","shape":[]}})"))
            .nodes[0]
            .walks[0]
            .second;
    CHECK(forward.pointer == "/nodes/0/walks/decode");
    REQUIRE(forward.inputs.size() == 3);
    CHECK(forward.inputs[0].first == "ids");
    CHECK(forward.inputs[0].second.dtype == DType::i32);
    CHECK(forward.inputs[1].first == "a");
    CHECK(forward.inputs[1].second.shape == std::vector<std::string>{"bs", "3", "hidden*2"});
    CHECK(forward.inputs[2].second.shape.empty());
    CHECK(forward.outputs == std::vector<std::string>{"h"});
}

TEST_CASE("a forward may have no inputs") {
    CHECK(read_model(replaced(kModel, R"("inputs":{"ids":{"dtype":"i32","shape":["tokens"]}},)", ""))
              .nodes[0]
              .walks[0]
              .second.inputs.empty());
}

TEST_CASE("forwards that cannot be are refused at their place") {
    check_model_refused("\"i32\"", "\"int32\"", "/nodes/0/walks/decode/inputs/ids/dtype: expected one of");
    check_model_refused(
        "[\"tokens\"]", "[\"token\"]",
        "/inputs/ids/shape/0: expression \"token\": unknown name \"token\". Did you mean \"tokens\"?");
    check_model_refused("[\"tokens\"]", "[\"tokens*(\"]",
                        "/inputs/ids/shape/0: expression \"tokens*(\": it ends where");
    check_model_refused("[\"tokens\"]", "[0]",
                        "/inputs/ids/shape/0: expected an integer from 1 to 2^53, found 0");
    check_model_refused("[\"tokens\"]", "[1.5]", "/inputs/ids/shape/0: expected an integer or an expression");
    check_model_refused("[\"tokens\"]", "\"tokens\"", "/inputs/ids/shape: expected a list of dimensions");
    check_model_refused("\"outputs\":[\"h\"]", "\"outputs\":[]",
                        "/decode/outputs: expected a list of names of tensors");
    check_model_refused("\"outputs\":[\"h\"]", "\"outputs\":[\"h\",\"h\"]",
                        "/decode/outputs/1: output \"h\" stands twice");
    check_model_refused("\"outputs\":[\"h\"]", "\"outputs\":[7]",
                        "/decode/outputs/0: expected a string, found 7");
    check_model_refused("\"outputs\":[\"h\"]", "\"output\":[\"h\"]",
                        "/nodes/0/walks/decode: \"outputs\" is missing. Is \"output\"");
    check_model_refused("\"ids\":{", "\"\":{", "/inputs/: a name is empty");
}
