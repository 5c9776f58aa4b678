#include "engine/lowered.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("dense_bytes refuses what no device holds") {
    CHECK(dense_bytes(DType::bf16, {4, 8}) == 64);
    CHECK(dense_bytes(DType::f32, {}) == 4);
    CHECK_FALSE(dense_bytes(DType::f32, {4, 0}));
    CHECK_FALSE(dense_bytes(DType::f32, {-1}));
    CHECK(dense_bytes(DType::u8, {std::int64_t{1} << 43}) == Bytes{1} << 43);
    CHECK_FALSE(dense_bytes(DType::u8, {std::int64_t{1} << 43, 2}));
    CHECK_FALSE(dense_bytes(DType::f32, {std::int64_t{1} << 62, std::int64_t{1} << 62}));
}

TEST_CASE("a storage dies with the last call that reads it, a view's storage with its last view") {
    const LoweredProgram program = lower_walk(make_model({R"(
        {"op": "tanh", "x": "x", "out": "a"},
        {"op": "reshape", "x": "a", "shape": ["tokens*width"], "out": "flat"},
        {"op": "gelu", "x": "a", "out": "unread"},
        {"op": "tanh", "x": "flat", "out": "b"},
        {"op": "reshape", "x": "b", "shape": ["tokens", "width"], "out": "y"})"}),
                                              {4, 4});
    REQUIRE(program.calls.size() == 3);
    CHECK(program.calls[0].dead.empty());
    CHECK(program.calls[1].dead == std::vector<std::size_t>{1});
    CHECK(program.calls[2].dead == std::vector<std::size_t>{0});
    CHECK(program.storages[2].output);
}

TEST_CASE("outputs that alias one another count once, inputs not at all") {
    const LoweredProgram program = lower_walk(make_model({R"(
        {"op": "tanh", "x": "x", "out": "y"},
        {"op": "reshape", "x": "y", "shape": ["tokens*width"], "out": "flat"})",
                                                          R"(["y", "flat", "x"])"}),
                                              {4, 4});
    CHECK(program.outputs.size() == 3);
    CHECK(program.output_bytes() == 4 * 8 * 4);
}

TEST_CASE("outputs one after another: each begins on 512 B, and views add nothing") {
    const LoweredProgram program = lower_walk(make_model({R"(
        {"op": "tanh", "x": "x", "out": "y"},
        {"op": "gelu", "x": "y", "out": "between"},
        {"op": "tanh", "x": "between", "out": "z"},
        {"op": "reshape", "x": "z", "shape": ["tokens*width"], "out": "flat"})",
                                                          R"(["flat", "y", "x", "z"])"}),
                                              {17, 17});
    REQUIRE(program.storages.size() == 3);
    REQUIRE(program.storages[0].bytes == 17 * 8 * 4);
    CHECK(program.storages[0].output_offset == 0);
    CHECK_FALSE(program.storages[1].output);
    CHECK(program.storages[2].output_offset == 1024);
    CHECK(program.packed_output_bytes == 2048);
    const LoweredProgram none =
        lower_walk(make_model({R"({"op": "tanh", "x": "x", "out": "y"})", R"(["x"])"}), {4, 4});
    CHECK(none.packed_output_bytes == 0);
}
