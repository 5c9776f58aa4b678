// Replay equals eager, bit for bit: a session replays what a twin of its engine runs eagerly, step by step,
// from the same inputs, pages and random states. Only what pads differs: zeros there, whatever earlier steps
// left here. Both begin from the same random weights.
//
// A device that computes nothing gives zeros for both. The cases then say so: they still check that each step
// finds its bucket, that everything staged and read is where it should be, and that shapes agree.
#include "twins.hpp"

using namespace graphplan;
using namespace graphplan::conformance;

namespace {

/// A bucket's whole batch, and one row less where it has more.
std::vector<TwinStep> steps_of(const Twins& twins, const BucketSpec& spec, const std::string& walk) {
    const CaptureConfig& config = twins.config(spec);
    const std::int64_t tokens = spec.id.tokens / config.tokens_multiplier;
    std::vector<TwinStep> steps{{spec.pool, walk, spec.id.key, spec.id.bs, tokens}};
    if (spec.id.bs > 1) {
        const std::int64_t fewer =
            config.kind == CaptureKind::packed ? tokens - 7 : tokens / spec.id.bs * (spec.id.bs - 1);
        steps.push_back({spec.pool, walk, spec.id.key, spec.id.bs - 1, fewer});
    }
    return steps;
}

/// Each step twice, so that both slots run and inputs change.
void check_alike(Twins& twins, const BucketSpec& spec, const std::string& walk) {
    for (const TwinStep& step : steps_of(twins, spec, walk)) {
        CAPTURE(step.pool, step.walk, step.bs, step.tokens);
        const Content first = twins.run(step);
        const Content second = twins.run(step);
        ++twins.pairs;
        if (first != second) ++twins.differing;
    }
}

// Outputs that do not depend on inputs would prove nothing. Single drawn tokens may be equal by chance.
void check_comparison(const Twins& twins) {
    if (twins.computes()) {
        CHECK(twins.differing * 4 >= twins.pairs * 3);
    } else {
        CHECK(twins.differing == 0);
        WARN("this device computes nothing: outputs were compared as zeros; run this on one that computes");
    }
}

void check_sample(const std::string& sample, Outputs outputs) {
    const auto factory = device_factories().front();
    CAPTURE(factory.name);
    const std::string folder = GRAPHPLAN_SOURCE_DIR "/samples/" + sample;
    Twins twins(factory.make(), parse_model(read_text(folder + "/model.json"), {true, {}}),
                parse_buckets(read_text(folder + "/buckets.json"), {true, {}}), outputs);
    REQUIRE(twins.dropped == 0);
    std::size_t slots = 0;
    for (const BucketSpec& spec : twins.buckets()) {
        check_alike(twins, spec, spec.id.walk);
        slots += static_cast<std::size_t>(spec.slots);
    }
    CHECK(twins.slots_seen.size() == slots);
    check_comparison(twins);
}

}  // namespace

TEST_CASE("replay: equals eager bit for bit for every bucket of every sample, padded too, in every slot") {
    for (const Outputs outputs : {Outputs::per_graph, Outputs::shared}) {
        for (const std::string sample : {"llama-3.1-8b", "qwen3-0.6b", "mixtral-8x7b", "vocoder", "omni"}) {
            // A section each, to be run alone under a slow memory checker.
            DYNAMIC_SECTION(sample << ", outputs " << to_string(outputs)) { check_sample(sample, outputs); }
        }
    }
}

TEST_CASE("replay: equals eager through aliases, keys and multipliers, and draws the same tokens") {
    const auto factory = device_factories().front();
    const Outputs outputs = GENERATE(Outputs::per_graph, Outputs::shared);
    Twins twins(factory.make(), served_model(), served_buckets(), outputs);
    REQUIRE(twins.dropped == 0);
    for (const BucketSpec& spec : twins.buckets()) {
        for (const std::string& walk : twins.config(spec).replay_walks) check_alike(twins, spec, walk);
    }
    check_comparison(twins);
}

TEST_CASE("replay: equals eager after buckets around it failed to capture") {
    const auto factory = device_factories().front();
    const Outputs outputs = GENERATE(Outputs::per_graph, Outputs::shared);
    const std::string fault = GENERATE(
        "capture_run@llm decode bs=4 tokens=4 slot 1#2=fails", "end_capture@llm decode bs=8#0=fails",
        "begin_capture@llm prefill bs=4 tokens=64#0=fails", "instantiate@decode bs=2 tokens=2#1=fails");
    CAPTURE(fault, to_string(outputs));
    Twins twins(with_faults(factory.make(), {parse_fault(fault)}), served_model(), served_buckets(), outputs);
    REQUIRE(twins.dropped == 1);
    for (const BucketSpec& spec : twins.buckets()) {
        const TwinStep whole = steps_of(twins, spec, spec.id.walk).front();
        if (twins.session().can_run(whole.shape())) check_alike(twins, spec, spec.id.walk);
    }
    check_comparison(twins);
}

TEST_CASE("replay: with shared outputs a slot's views stay as they were while everything else replays") {
    const auto factory = device_factories().front();
    Twins twins(factory.make(), served_model(), served_buckets(), Outputs::shared);
    REQUIRE(twins.dropped == 0);
    const TwinStep whole{"llm", "decode", std::nullopt, 8, 8};
    const Lease held = *twins.session().lease(whole.shape());
    const Content before = twins.run(whole, held);
    const std::vector<TwinStep> others{{"llm", "draft", std::nullopt, 3, 3},
                                       {"llm", "prefill", std::nullopt, 3, 50},
                                       {"llm", "decode", "cfg", 4, 4},
                                       {"llm", "vit", std::nullopt, 2, 8}};
    for (const TwinStep& other : others) twins.run(other);
    CHECK(twins.outputs(held) == before);
    twins.session().release(held);
    const Lease next = *twins.session().lease(whole.shape());
    CHECK(next.slot == held.slot);
    if (twins.computes()) {
        CHECK(twins.run(whole, next) != before);
        CHECK(twins.outputs(held) != before);
    }
}
