#include "catch.hpp"
#include "engine/operator_context.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

ModelText attention(const std::string& attributes) {
    ModelText text{
        R"({"repeat": 2, "program": [{"op": "paged_attention", "q": "q", "k": "k", "v": "k", "kv": "kv",
                       "positions": "p", "out": "y")" +
        attributes + "}]}"};
    text.inputs = R"({"q": {"dtype": "bf16", "shape": ["tokens", 4, 16]}, "k": {"dtype": "bf16",
                      "shape": ["tokens", 2, 16]}, "p": {"dtype": "i32", "shape": ["tokens"]}})";
    text.resources =
        R"({"kv": {"kind": "paged_kv", "layers": 2, "kv_heads": 2, "head_dim": 16, "page_tokens": 32,
                         "pages": 10}})";
    text.dtype = "bf16";
    return text;
}

}  // namespace

TEST_CASE("attention writes the layer of the innermost repeat, or the one it is told") {
    const LoweredProgram program = lower_walk(make_model(attention("")), {2, 6});
    REQUIRE(program.calls.size() == 2);
    CHECK(program.calls[0].call.parameters.layer == 0);
    CHECK(program.calls[1].call.parameters.layer == 1);
    CHECK(
        lower_walk(make_model(attention(R"(, "layer": "1-index")")), {2, 6}).calls[0].call.parameters.layer ==
        1);
    const std::string message = message_of([] {
        lower_walk(make_model(attention(R"(, "layer": 2)")), {2, 6});
    });
    CHECK(contains(message, "layer 2 of a cache of 2 layers"));
}

TEST_CASE("a cache comes with a page table of a row a token") {
    const LoweredProgram program = lower_walk(make_model(attention("")), {2, 6});
    const LoweredCall& call = program.calls[0];
    REQUIRE(call.inputs.size() == 6);
    CHECK(call.inputs[3] == Operand{Source::cache, 0});
    CHECK(call.call.inputs[3].shape == Shape{2, 2, 10, 32, 2, 16});
    CHECK(call.inputs[4] == Operand{Source::page_table, 0});
    CHECK(call.call.inputs[4].shape == Shape{6, 10});
    CHECK(call.call.parameters.page_tokens == 32);
    CHECK(program.page_table_rows == std::vector<std::int64_t>{6});
    CHECK_FALSE(program.uses_row_offsets);
}
