#include "families.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

ModelText inputs() {
    ModelText text;
    text.dtype = "bf16";
    text.inputs =
        R"({"q": {"dtype": "bf16", "shape": ["tokens", 4, 16]}, "k": {"dtype": "bf16", "shape": ["tokens", 2, 16]},
                      "k3": {"dtype": "bf16", "shape": ["tokens", 3, 16]}, "k4": {"dtype": "bf16", "shape": ["tokens", 4, 16]},
                      "f": {"dtype": "f32", "shape": ["tokens", 2, 16]}, "flat": {"dtype": "bf16", "shape": ["tokens", 64]},
                      "odd": {"dtype": "bf16", "shape": ["tokens", 2, 5]}, "rows": {"dtype": "bf16", "shape": ["bs", 2, 16]},
                      "p": {"dtype": "i32", "shape": ["tokens"]}, "pb": {"dtype": "i32", "shape": ["bs"]}})";
    text.resources =
        R"({"kv": {"kind": "paged_kv", "layers": 2, "kv_heads": 2, "head_dim": 16, "page_tokens": 16,
                         "pages": 10}, "rng": {"kind": "philox"}})";
    return text;
}

std::string paged(const std::string& q, const std::string& k, const std::string& rest) {
    return R"({"op": "paged_attention", "q": ")" + q + R"(", "k": ")" + k + R"(", "v": ")" + k + R"(", )" +
           rest + R"(, "out": "y"})";
}

}  // namespace

TEST_CASE("attention and rope keep the shape of what they turn") {
    check_shapes(
        inputs(),
        {{R"({"op": "rope", "x": "q", "positions": "p", "theta": 500000, "out": "y"})", {6, 4, 16}},
         {paged("q", "k", R"("kv": "kv", "positions": "p")"), {6, 4, 16}},
         {R"({"op": "causal_attention", "q": "q", "k": "k", "v": "k", "out": "y"})", {6, 4, 16}},
         {R"({"op": "causal_attention", "q": "q", "k": "k", "v": "k", "kv": "kv", "layer": 1, "out": "y"})",
          {6, 4, 16}}});
}

TEST_CASE("causal attention has a row of the page table for each row, and row offsets") {
    ModelText text = inputs();
    text.program = R"({"op": "causal_attention", "q": "q", "k": "k", "v": "k", "kv": "kv", "out": "y"})";
    const LoweredProgram program = lower_walk(make_model(text), {2, 6});
    CHECK(program.uses_row_offsets);
    CHECK(program.calls[0].inputs[3] == Operand{Source::row_offsets, 0});
    CHECK(program.calls[0].call.inputs[3].shape == Shape{3});
    CHECK(program.calls[0].call.inputs[5].shape == Shape{2, 10});
}

TEST_CASE("attention refuses what does not match") {
    check_errors(
        inputs(),
        {{R"({"op": "rope", "x": "q", "positions": "pb", "out": "y"})", "expected one position a token, [6]"},
         {R"({"op": "rope", "x": "q", "positions": "q", "out": "y"})", "expected i32 or i64"},
         {R"({"op": "rope", "x": "odd", "positions": "p", "out": "y"})", "an even head dimension"},
         {R"({"op": "rope", "x": "flat", "positions": "p", "out": "y"})", "expected 3 dimensions"},
         {paged("q", "k3", R"("kv": "kv", "positions": "p")"), "a multiple of k's 3 heads"},
         {paged("q", "f", R"("kv": "kv", "positions": "p")"), "the tokens, head dimension and type of q"},
         {paged("q", "rows", R"("kv": "kv", "positions": "p")"), "the tokens, head dimension and type of q"},
         {paged("q", "k4", R"("kv": "kv", "positions": "p")"), "bf16 [tokens, 2, 16] as the cache holds"},
         {paged("q", "k", R"("kv": "kw", "positions": "p")"),
          R"(program/0/kv: "paged_attention": node "n" has no resource "kw"; it has kv, rng. Did you mean "kv"?)"},
         {paged("q", "k", R"("kv": "rng", "positions": "p")"), R"("rng" is a philox, expected a paged_kv)"},
         {R"({"op": "causal_attention", "q": "q", "k": "k", "v": "q", "out": "y"})", "expected what k is"},
         {R"({"op": "causal_attention", "q": "rows", "k": "rows", "v": "rows", "out": "y"})",
          "one row for each of the walk's tokens"}});
}
