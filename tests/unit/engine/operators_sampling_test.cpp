#include "families.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

ModelText inputs() {
    ModelText text;
    text.inputs =
        R"({"x": {"dtype": "f32", "shape": ["bs", 100]}, "ids": {"dtype": "i32", "shape": ["bs", 100]}})";
    text.resources = R"({"kv": {"kind": "paged_kv", "layers": 1, "kv_heads": 1, "head_dim": 8, "pages": 2},
                         "rng": {"kind": "philox"}})";
    return text;
}

}  // namespace

TEST_CASE("sampling picks one id a row") {
    check_shapes(inputs(), {{R"({"op": "sample", "x": "x", "method": "argmax", "out": "y"})", {2}},
                            {R"({"op": "sample", "x": "x", "method": "top_k", "top_k": 40, "temperature": 0.8,
                                 "rng": "rng", "out": "y"})",
                             {2}}});
}

TEST_CASE("sampling refuses what it cannot do") {
    const auto top_k = [](const std::string& rest) {
        return R"({"op": "sample", "x": "x", "method": "top_k", "out": "y")" + rest + "}";
    };
    check_errors(
        inputs(),
        {{R"({"op": "sample", "x": "x", "method": "beam", "out": "y"})", R"("beam", expected "argmax" or)"},
         {R"({"op": "sample", "x": "ids", "method": "argmax", "out": "y"})", "expected f32, f16 or bf16"},
         {top_k(R"(, "top_k": 4)"), R"(needs "rng")"},
         {top_k(R"(, "rng": "rng")"), R"(needs "top_k")"},
         {top_k(R"(, "rng": "rng", "top_k": 101)"), "at least top_k = 101 columns"},
         {top_k(R"(, "rng": "kv", "top_k": 4)"), R"("kv" is a paged_kv, expected a philox)"},
         {top_k(R"(, "rng": "rng", "top_k": 4, "temperature": 0)"), "expected more than 0"}});
}
