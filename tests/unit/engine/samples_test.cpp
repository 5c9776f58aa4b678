#include <cmath>

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

namespace {

Model load(const std::string& sample) {
    return parse_model(read_text(GRAPHPLAN_SOURCE_DIR "/samples/" + sample + "/model.json"), {true, {}});
}

Buckets load_buckets(const std::string& sample, const std::string& file) {
    return parse_buckets(read_text(GRAPHPLAN_SOURCE_DIR "/samples/" + sample + "/" + file), {true, {}});
}

}  // namespace

TEST_CASE("samples hold exactly the parameters that they state") {
    const std::string sample = GENERATE("llama-3.1-8b", "qwen3-0.6b", "mixtral-8x7b", "vocoder", "omni");
    INFO(sample);
    const Model model = load(sample);
    CHECK_NOTHROW(check_model(model));
    REQUIRE(model.parameters);
    CHECK(count_parameters(model) == *model.parameters);
}

TEST_CASE("every sample's every bucket runs and captures on a simulated GPU, alike") {
    const std::string sample = GENERATE("llama-3.1-8b", "qwen3-0.6b", "mixtral-8x7b", "vocoder", "omni");
    INFO(sample);
    EngineOptions options;
    options.share_weights = true;
    Rig rig(load(sample), load_buckets(sample, "buckets.json"), {}, options);
    for (const BucketSpec& spec : rig.engine->buckets()) {
        INFO(spec.pool << " " << to_string(spec.id));
        for (std::int64_t index = 0; index < spec.slots; ++index) {
            const auto slot = rig.engine->prepare(spec, index);
            const ForwardResult result = slot->forward();
            CHECK(result.output_bytes > 0);
            CHECK(result.trace == throw_away(*rig.engine, *slot));
        }
    }
}

TEST_CASE("the ladders of two engines are what they document") {
    const std::string sample = GENERATE("llama-3.1-8b", "qwen3-0.6b", "mixtral-8x7b");
    const Buckets vllm = load_buckets(sample, "buckets.vllm.json");
    const Buckets sglang = load_buckets(sample, "buckets.sglang.json");
    CHECK_NOTHROW(check_buckets(vllm, load(sample)));
    CHECK_NOTHROW(check_buckets(sglang, load(sample)));
    std::vector<std::int64_t> expected{1, 2, 4};
    for (std::int64_t bs = 8; bs <= 256; bs += 8) expected.push_back(bs);
    CHECK(vllm.captures.at(0).batch_sizes == expected);
    expected = {1, 2, 4, 8, 12};
    for (std::int64_t bs = 16; bs <= 256; bs += 8) expected.push_back(bs);
    for (std::int64_t bs = 272; bs <= 512; bs += 16) expected.push_back(bs);
    CHECK(sglang.captures.at(0).batch_sizes == expected);
}

TEST_CASE("the talker of the omni model has two slots and draws its tokens, the thinker has a region") {
    Rig rig(load("omni"), load_buckets("omni", "buckets.json"), {}, {{}, true, 0});
    std::int64_t talker = 0;
    std::int64_t regions = 0;
    for (const BucketSpec& spec : rig.engine->buckets()) {
        if (spec.pool == "talker" && spec.id.walk == "decode") talker += spec.slots == 2 ? 1 : 0;
        regions += spec.is_region ? 1 : 0;
    }
    CHECK(talker == 6);
    CHECK(regions == 3);
}
