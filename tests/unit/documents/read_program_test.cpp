#include <string>

#include "model_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

namespace {

const std::string kGelu = R"({"op":"gelu","x":"h","out":"h"})";

Program program_with(const std::string& step) {
    return read_model(replaced(kModel, kGelu, step)).nodes[0].walks[0].second.program;
}

}  // namespace

TEST_CASE("a program has operators and repeats, each with its pointer") {
    const Program program = program_with(kGelu);
    REQUIRE(program.size() == 2);
    CHECK(program[0].pointer == "/nodes/0/walks/decode/program/0");
    CHECK(std::get<Operator>(program[0].what).op == "embedding");
    const auto& repeat = std::get<Repeat>(program[1].what);
    CHECK(repeat.count == "layers");
    REQUIRE(repeat.program.size() == 1);
    CHECK(repeat.program[0].pointer == "/nodes/0/walks/decode/program/1/program/0");
}

TEST_CASE("an operator's attributes keep their types") {
    const Program program =
        program_with(R"({"op":"x","flag":true,"int":-4,"real":1e-6,"text":"a*b","list":["q",3],"empty":[]})");
    const Operator& op = std::get<Operator>(std::get<Repeat>(program[1].what).program[0].what);
    CHECK(op.op == "x");
    CHECK(op.attributes.size() == 6);
    CHECK(std::get<bool>(op.attributes.at("flag")));
    CHECK(std::get<std::int64_t>(op.attributes.at("int")) == -4);
    CHECK(std::get<double>(op.attributes.at("real")) == 1e-6);
    CHECK(std::get<std::string>(op.attributes.at("text")) == "a*b");
    CHECK(std::get<std::vector<std::string>>(op.attributes.at("list")) == std::vector<std::string>{"q", "3"});
    CHECK(std::get<std::vector<std::string>>(op.attributes.at("empty")).empty());
}

TEST_CASE("a repeat's count is a whole number of at least 1") {
    CHECK_NOTHROW(program_with(R"({"repeat":3,"program":[)" + kGelu + "]}"));
    check_model_refused("\"repeat\":\"layers\"", "\"repeat\":0",
                        "/program/1/repeat: expected an integer from 1 to 2^53, found 0");
    check_model_refused("\"repeat\":\"layers\"", "\"repeat\":\"layers-2\"",
                        "/program/1/repeat: \"layers-2\" is 0: expected a count of at least 1");
    check_model_refused("\"repeat\":\"layers\"", "\"repeat\":\"layers-9\"",
                        "\"layers-9\" is -7: expected a count");
    check_model_refused("\"repeat\":\"layers\"", "\"repeat\":\"tokens\"",
                        "/program/1/repeat: expression \"tokens\": unknown name");
    check_model_refused("\"repeat\":\"layers\"", "\"repeat\":2.5",
                        "/program/1/repeat: expected an integer or an expression");
}

TEST_CASE("programs that would run for ever are refused") {
    check_model_refused("\"repeat\":\"layers\"", "\"repeat\":1000001",
                        "/program/1/repeat: with its repeats unrolled");
    const std::string inner = R"({"repeat":1000,"program":[{"repeat":1000,"program":[)" + kGelu + "]}]}";
    check_model_refused(
        kGelu, inner,
        "/program/1/program/0/program/0/repeat: with its repeats unrolled the program has more than 1000000");
    check_model_refused("\"repeat\":\"layers\"", "\"repeat\":\"hidden*9007199254740992*64\"",
                        "is beyond 2^63");
    check_model_refused("\"repeat\":\"layers\",\"program\":[" + kGelu,
                        "\"repeat\":400000,\"program\":[" + kGelu + "," + kGelu + "," + kGelu,
                        "/program/1/program/2: with its repeats unrolled");
}

TEST_CASE("steps that cannot be are refused at their place") {
    check_model_refused(kGelu, "[]", "/program/1/program/0: expected an object of an operator or a repeat");
    check_model_refused(kGelu, "{}", "/program/1/program/0: a step has either \"op\" or \"repeat\"");
    check_model_refused(kGelu, R"({"op":"gelu","repeat":2})", "a step has either \"op\" or \"repeat\"");
    check_model_refused(kGelu, R"({"op":7})", "/program/0/op: expected a string, found 7");
    check_model_refused(kGelu, R"({"op":""})", "/program/0/op: a name is empty");
    check_model_refused(kGelu, R"({"op":"x","y":null})", "/program/0/y: expected an attribute");
    check_model_refused(kGelu, R"({"op":"x","y":{}})", "/program/0/y: expected an attribute");
    check_model_refused(kGelu, R"({"op":"x","y":[[1]]})",
                        "/program/0/y/0: expected a string or an integer, found a list");
    check_model_refused(kGelu, R"({"op":"x","y":[1.5]})",
                        "/program/0/y/0: expected a string or an integer, found 1.5");
    check_model_refused(kGelu, R"({"op":"x","y":9007199254740993})",
                        "/program/0/y: expected an integer from -2^53 to 2^53");
    check_model_refused(kGelu, R"({"repeat":2,"program":[]})",
                        "/program/0/program: expected a list of steps, found an empty list");
    check_model_refused(kGelu, R"({"repeat":2})", "/program/1/program/0: \"program\" is missing");
    check_model_refused(kGelu, R"({"repeat":2,"program":[{"op":"x"}],"count":1})",
                        "/program/0/count: unknown key");
}
