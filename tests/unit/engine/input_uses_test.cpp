#include "engine/input_uses.hpp"

#include <limits>

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;
using Use = NamedTensor::Use;

namespace {

std::vector<InputUse> uses_of(const std::string& program, const std::string& inputs) {
    ModelText text{program};
    text.inputs = inputs;
    text.resources = R"({"kv": {"kind": "paged_kv", "layers": 1, "kv_heads": 1, "head_dim": 8,
                                "page_tokens": 4, "pages": 32}})";
    return input_uses(lower_walk(make_model(text), {4, 4}));
}

const std::string kEmbedding = R"({"op": "embedding", "x": "a", "features": 8, "rows": 100, "out": "y"})";
const std::string kOneInput = R"({"a": {"dtype": "i32", "shape": ["tokens"]}})";

}  // namespace

TEST_CASE("an input that embeddings read is an index below the fewest rows") {
    CHECK(uses_of(kEmbedding, kOneInput) == std::vector<InputUse>{{Use::index, 100}});
    CHECK(uses_of(R"({"op": "embedding", "x": "a", "features": 8, "rows": 7, "out": "z"},)" + kEmbedding,
                  kOneInput) == std::vector<InputUse>{{Use::index, 7}});
}

TEST_CASE("an input read in another way, or not at all, has no range") {
    const std::string cast = R"(,{"op": "cast", "x": "a", "dtype": "f32", "out": "f"})";
    CHECK(uses_of(kEmbedding + cast, kOneInput) == std::vector<InputUse>{{}});
    CHECK(
        uses_of(R"({"op": "tanh", "x": "x", "out": "y"})",
                R"({"x": {"dtype": "f32", "shape": ["tokens", 8]}, "a": {"dtype": "i32", "shape": [4]}})") ==
        std::vector<InputUse>{{}, {}});
}

TEST_CASE("positions end where the cache does, those of rope alone do not") {
    const std::string inputs = R"({"x": {"dtype": "f32", "shape": ["tokens", 1, 8]},
                                   "a": {"dtype": "i32", "shape": ["tokens"]}})";
    const std::string rope = R"({"op": "rope", "x": "x", "positions": "a", "out": "y"})";
    const std::string attention = R"(,{"op": "paged_attention", "q": "y", "k": "y", "v": "y", "kv": "kv",
                                       "positions": "a", "out": "y"})";
    CHECK(uses_of(rope, inputs)[1] == InputUse{Use::position, std::numeric_limits<std::int32_t>::max()});
    CHECK(uses_of(rope + attention, inputs)[1] == InputUse{Use::position, 4 * 32});
    // A learned embedding of positions bounds them further.
    CHECK(uses_of(rope + attention + "," +
                      R"({"op": "embedding", "x": "a", "features": 8, "rows": 9, "out": "e"})",
                  inputs)[1] == InputUse{Use::position, 9});
}
