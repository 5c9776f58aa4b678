#include "engine/interpreter.hpp"

#include <fmt/format.h>

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

ModelText attention(const std::string& kv_flags) {
    ModelText text{R"({"op": "causal_attention", "q": "x", "k": "x", "v": "x", "kv": "kv", "out": "a"},
                      {"op": "reshape", "x": "a", "shape": ["tokens", 32], "out": "a"},
                      {"op": "last_rows", "x": "a", "out": "y"})"};
    text.inputs = R"({"x": {"dtype": "f32", "shape": ["tokens", 2, 16]}})";
    text.resources = R"({"kv": {"kind": "paged_kv", "layers": 1, "kv_heads": 2, "head_dim": 16, "pages": 8)" +
                     kv_flags + "}}";
    return text;
}

const char* const kPacked =
    R"({"node": "n", "walk": "w", "kind": "packed", "batch_sizes": [1, 3], "token_lengths": [7]})";

}  // namespace

TEST_CASE("packed rows run with the row offsets that the engine makes") {
    Rig rig(make_model(attention("")), make_buckets(kPacked));
    const std::vector<BucketSpec>& specs = rig.engine->buckets();
    REQUIRE(specs.size() == 2);
    CHECK(specs[0].id.bs == 3);
    CHECK(specs[0].input_bytes == 7 * 32 * 4 + 4 * 4);
    CHECK(rig.engine->prepare(specs[0], 0)->forward().output_bytes == 3 * 32 * 4);
    CHECK(rig.engine->prepare(specs[1], 0)->forward().output_bytes == 32 * 4);
}

TEST_CASE("resources that cannot capture block a bucket, those that double-buffer give it two slots") {
    Rig plain(make_model(attention("")), make_buckets(kPacked));
    CHECK(plain.engine->buckets()[0].slots == 1);
    CHECK(plain.engine->buckets()[0].blockers.empty());
    Rig flagged(make_model(attention(R"(, "can_capture": false, "double_buffer": true)")),
                make_buckets(kPacked));
    const BucketSpec& spec = flagged.engine->buckets()[0];
    CHECK(spec.slots == 2);
    CHECK(spec.blockers == std::vector<std::string>{"kv"});
    // The second slot has a page table of its own.
    CHECK(flagged.engine->allocator().allocated_bytes() == plain.engine->allocator().allocated_bytes() + 512);
    CHECK_NOTHROW(flagged.engine->prepare(spec, 1)->forward());
}

TEST_CASE("prepare refuses what was not claimed or does not exist") {
    const auto device = make_device();
    const auto engine = make_interpreter(*device, make_model(attention("")), make_buckets(kPacked), {});
    BucketSpec spec = engine->buckets()[0];
    CHECK(contains(message_of([&] { engine->prepare(spec, 0); }), "call claim() first"));
    engine->claim();
    CHECK(contains(message_of([&] { engine->claim(); }), "claims once"));
    CHECK(contains(message_of([&] { engine->prepare(spec, 1); }), "has no slot 1; its slots are 0 to 0"));
    CHECK(contains(message_of([&] { engine->prepare(spec, -1); }), "has no slot -1"));
    spec.id.bs = 5;
    CHECK(contains(message_of([&] { engine->prepare(spec, 0); }), "no bucket of this engine"));
    const std::int64_t huge = std::int64_t{1} << 53;
    for (const auto& [bs, tokens] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {0, 1}, {huge, huge}, {2, 1}, {1, kMostTokens + 1}, {kMostRows + 1, kMostRows + 1}}) {
        spec.id.bs = bs, spec.id.tokens = tokens;
        CHECK(contains(message_of([&] { engine->prepare_eager(spec); }),
                       fmt::format("bs={} and tokens={}", bs, tokens)));
    }
}

TEST_CASE("claim says what did not fit, and all of it goes with the engine") {
    ModelText text = attention("");
    text.resources.replace(text.resources.find("\"pages\": 8"), 10, "\"pages\": 1000000000");
    const auto device = make_device();
    const Bytes before = *device->memory().used_by_process;
    {
        const auto engine = make_interpreter(*device, make_model(text), make_buckets(kPacked), {});
        CHECK(contains(message_of([&] { engine->claim(); }), R"(claiming resources of "n": )"));
    }
    CHECK(*device->memory().used_by_process == before);
}

TEST_CASE("shapes that only some buckets have wrong are found before anything runs") {
    ModelText text{R"({"op": "reshape", "x": "x", "shape": ["tokens/4", 32], "out": "y"})"};
    const auto device = make_device();
    CHECK_NOTHROW(make_interpreter(*device, make_model(text), decode_buckets("[4, 8]"), {}));
    const std::string message =
        message_of([&] { make_interpreter(*device, make_model(text), decode_buckets("[4, 6]"), {}); });
    CHECK(contains(message, "model.json: /nodes/0/walks/w/program/0/shape"));
    CHECK(contains(message, "at bs=6 tokens=6"));
}

TEST_CASE("weights of walks that nobody captures are loaded too, and may be shared") {
    ModelText text{R"({"repeat": 4, "program": [{"op": "linear", "x": "x", "features": 8, "out": "x"}]},
                      {"op": "linear", "x": "x", "features": 8, "out": "y"})"};
    Model model = make_model(text);
    model.nodes[0].walks.emplace_back(
        "v", make_model({R"({"op": "rms_norm", "x": "x", "out": "y"})"}).nodes[0].walks[0].second);
    Rig full(model, decode_buckets("[1]"));
    EngineOptions options;
    options.share_weights = true;
    Rig shared(model, decode_buckets("[1]"), {}, options);
    CHECK(full.engine->allocator().allocated_bytes() == (4 + 1 + 1 + 1) * 512);
    CHECK(shared.engine->allocator().allocated_bytes() == (1 + 1 + 1 + 1) * 512);
}

TEST_CASE("what shared weights spare is what loading all of them takes more, to the byte") {
    ModelText text{R"({"repeat": 5, "program": [{"op": "linear", "x": "x", "features": 2000, "out": "h"},
                                                {"op": "rms_norm", "x": "h", "out": "n"},
                                                {"op": "linear", "x": "n", "features": "width", "out": "x"}]},
                      {"op": "linear", "x": "x", "features": 3000, "out": "y"})"};
    text.dims = R"({"width": 1100})";
    text.inputs = R"({"x": {"dtype": "f32", "shape": ["tokens", "width"]}})";
    for (const bool expandable : {false, true}) {
        EngineOptions options;
        options.allocator.expandable_segments = expandable;
        Rig full(make_model(text), decode_buckets("[500]"), {}, options);
        options.share_weights = true;
        Rig shared(make_model(text), decode_buckets("[500]"), {}, options);
        const Bytes more = *full.device->memory().used_by_process - *shared.device->memory().used_by_process;
        CHECK(more > 0);
        CHECK(shared.engine->shared_weight_bytes() == more);
        CHECK(full.engine->shared_weight_bytes() == 0);
    }
}

TEST_CASE("released caches leave only what was claimed") {
    ModelText text{R"({"op": "linear", "x": "x", "features": 8, "out": "y"})"};
    text.inputs = R"({"x": {"dtype": "bf16", "shape": ["tokens", 8]}})";
    Rig rig(make_model(text), decode_buckets("[4096]"));
    rig.engine->release_cached();
    const Bytes used = *rig.device->memory().used_by_process;
    rig.engine->prepare(rig.engine->buckets()[0], 0)->forward();
    CHECK(*rig.device->memory().used_by_process > used);
    rig.engine->release_cached();
    CHECK(*rig.device->memory().used_by_process == used);
}
