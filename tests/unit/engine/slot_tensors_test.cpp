#include "engine/slot_tensors.hpp"

#include <set>

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

ModelText attention() {
    ModelText text{R"({"op": "reshape", "x": "x", "shape": ["tokens", 1, 8], "out": "q"},
                      {"op": "paged_attention", "q": "q", "k": "q", "v": "q", "kv": "kv",
                       "positions": "at", "out": "y"})"};
    text.inputs =
        R"({"x": {"dtype": "f32", "shape": ["tokens", 8]}, "at": {"dtype": "i32", "shape": ["tokens"]},
                      "planes": {"dtype": "f32", "shape": [3, "2*tokens"]}})";
    text.resources = R"({"kv": {"kind": "paged_kv", "layers": 1, "kv_heads": 1, "head_dim": 8,
                                "page_tokens": 4, "pages": 32}})";
    text.outputs = R"(["y", "x"])";
    return text;
}

}  // namespace

TEST_CASE("a slot names its inputs, page tables and outputs, and its graph keeps them") {
    const Model model = make_model(attention());
    Rig rig(model, make_buckets(R"({"node": "n", "walk": "w", "kind": "batched", "batch_sizes": [2, 4],
                                    "slots": 2})"));
    const BucketSpec& bucket = rig.engine->buckets()[1];
    const auto first = rig.engine->prepare(bucket, 0);
    const auto second = rig.engine->prepare(bucket, 1);
    const SlotTensors& tensors = first->tensors();
    REQUIRE(tensors.inputs.size() == 3);
    CHECK(tensors.inputs[0].name == "x");
    CHECK(tensors.inputs[0].view.shape == Shape{2, 8});
    CHECK(tensors.inputs[2].varies == 1);
    REQUIRE(tensors.page_tables.size() == 1);
    CHECK(tensors.page_tables[0].name == "kv");
    CHECK(tensors.page_tables[0].view.shape == Shape{2, 32});
    CHECK_FALSE(tensors.row_offsets);
    CHECK(tensors.outputs.empty());
    CHECK(tensors.padding_rows.size() == 2);
    // Slots share inputs and nothing that a step prepares.
    CHECK(second->tensors().inputs[0].view.address == tensors.inputs[0].view.address);
    CHECK(second->tensors().page_tables[0].view.address != tensors.page_tables[0].view.address);
    CHECK(second->tensors().padding_rows != tensors.padding_rows);

    const CapturedGraph graph = first->capture(rig.engine->allocator().create_pool());
    REQUIRE(graph.tensors.outputs.size() == 2);
    CHECK(graph.tensors.outputs[0].name == "y");
    CHECK(graph.tensors.outputs[0].view.address != 0);
    CHECK(graph.tensors.outputs[1].view.address == tensors.inputs[0].view.address);
    CHECK(graph.launch_state == nullptr);
    CHECK(graph.outside_pool_bytes == 0);
}

TEST_CASE("inputs, page tables and outputs say what they count, where rows are as many as tokens too") {
    ModelText text{R"({"op": "reshape", "x": "x", "shape": ["tokens", 1, 8], "out": "q"},
                      {"op": "causal_attention", "q": "q", "k": "q", "v": "q", "kv": "kv", "out": "a"},
                      {"op": "reshape", "x": "a", "shape": ["tokens", 8], "out": "a"},
                      {"op": "last_rows", "x": "a", "out": "y"})"};
    text.inputs =
        R"({"x": {"dtype": "f32", "shape": ["tokens", 8]}, "rows": {"dtype": "f32", "shape": ["bs"]},
                      "planes": {"dtype": "f32", "shape": [4, "2*tokens"]},
                      "fixed": {"dtype": "f32", "shape": [4]},
                      "scalar": {"dtype": "f32", "shape": []}})";
    text.resources = attention().resources;
    text.outputs = R"(["y", "a", "fixed"])";
    Rig rig(make_model(text), make_buckets(R"({"node": "n", "walk": "w", "kind": "packed", "batch_sizes": [4],
                                               "token_lengths": [4]})"));
    const auto slot = rig.engine->prepare(rig.engine->buckets()[0], 0);
    slot->forward();
    const SlotTensors& tensors = slot->tensors();
    const auto counts = [](const std::vector<NamedTensor>& of) {
        std::vector<Counts> each;
        for (const NamedTensor& tensor : of) each.push_back(tensor.counts);
        return each;
    };
    using enum Counts;
    CHECK(counts(tensors.inputs) == std::vector<Counts>{tokens, rows, tokens, neither, neither});
    CHECK(counts(tensors.page_tables) == std::vector<Counts>{rows});
    CHECK(counts(tensors.outputs) == std::vector<Counts>{rows, tokens, neither});

    Rig decode(make_model(attention()), decode_buckets("[4]"));
    CHECK(counts(decode.engine->prepare(decode.engine->buckets()[0], 0)->tensors().page_tables) ==
          std::vector<Counts>{tokens});
}

TEST_CASE("an eager step has any shape, memory of its own and no padding rows") {
    const Model model = make_model(attention());
    Rig rig(model, decode_buckets("[2, 4]"));
    const Bytes before = rig.engine->allocator().allocated_bytes();
    {
        BucketSpec like = rig.engine->buckets()[0];
        like.id.bs = like.id.tokens = 7;
        const auto step = rig.engine->prepare_eager(like);
        const auto bucket = rig.engine->prepare(rig.engine->buckets()[0], 0);
        CHECK(step->tensors().inputs[0].view.shape == Shape{7, 8});
        CHECK(step->tensors().inputs[0].view.address != bucket->tensors().inputs[0].view.address);
        CHECK(step->tensors().page_tables[0].view.shape == Shape{7, 32});
        CHECK(step->tensors().page_tables[0].view.address != bucket->tensors().page_tables[0].view.address);
        CHECK(step->tensors().padding_rows.empty());
        CHECK(step->forward().output_bytes == 7 * 8 * 4);
        CHECK(step->tensors().outputs.at(0).view.shape == Shape{7, 1, 8});
    }
    CHECK(rig.engine->allocator().allocated_bytes() == before);
}

TEST_CASE("an eager step like no bucket of the engine is refused") {
    Rig rig(make_model(attention()), decode_buckets("[2]"));
    BucketSpec like = rig.engine->buckets()[0];
    like.pool = "elsewhere";
    CHECK(contains(message_of([&] { rig.engine->prepare_eager(like); }), "like no bucket"));
    like = rig.engine->buckets()[0];
    like.id.walk = "ww";
    CHECK(contains(message_of([&] { rig.engine->prepare_eager(like); }), "Did you mean \"w\"?"));
}

TEST_CASE("rows of a packed step can be given, within its rows and tokens") {
    ModelText text{R"({"op": "last_rows", "x": "x", "out": "y"})"};
    Rig rig(make_model(text), make_buckets(R"({"node": "n", "walk": "w", "kind": "packed", "batch_sizes": [3],
                                               "token_lengths": [12]})"));
    const auto slot = rig.engine->prepare(rig.engine->buckets()[0], 0);
    REQUIRE(slot->tensors().row_offsets);
    CHECK(slot->tensors().row_offsets->shape == Shape{4});
    slot->set_row_lengths(std::vector<std::int64_t>{5, 6});
    CHECK_NOTHROW(slot->forward());
    CHECK(contains(message_of([&] {
                       slot->set_row_lengths(std::vector<std::int64_t>{5, 8});
                   }),
                   "expected at most 3 rows of 12"));
    CHECK_THROWS_AS(slot->set_row_lengths(std::vector<std::int64_t>{1, 1, 1, 1}), Error);
    CHECK_THROWS_AS(slot->set_row_lengths(std::vector<std::int64_t>{-1}), Error);
}
