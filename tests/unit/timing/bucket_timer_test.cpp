// What is timed, and how often, is seen by a simulated device that keeps a record of its calls.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "catch.hpp"
#include "engine/range.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/timing.hpp"
#include "sim/sim_device.hpp"

using namespace graphplan;

namespace {

SimOptions h200(bool captures = true) {
    SimOptions options;
    options.profile = sim_profile("h200");
    options.captures_graphs = captures;
    return options;
}

class Recorder final : public sim::SimDevice {
  public:
    using SimDevice::SimDevice;
    int launches = 0, instantiated = 0, fills = 0, events = 0;
    std::int64_t nodes = 0;
    std::map<Address, std::vector<std::uint64_t>> random_offsets;  ///< by state, as written for each forward

    std::uint64_t create_event() override {
        ++events;
        return SimDevice::create_event();
    }
    std::uint64_t instantiate(std::uint64_t graph) override {
        nodes = count_nodes(graph).total();
        ++instantiated;
        return SimDevice::instantiate(graph);
    }
    void launch(std::uint64_t executable, std::uint64_t stream) override {
        ++launches;
        SimDevice::launch(executable, stream);
    }
    void fill(Address to, int byte, Bytes bytes, std::uint64_t stream) override {
        if (bytes >= 2 * capabilities().l2_bytes) ++fills;
        SimDevice::fill(to, byte, bytes, stream);
    }
    void upload(Address to, const void* from, Bytes bytes, std::uint64_t stream) override {
        std::array<std::uint64_t, 2> state{};
        if (bytes == sizeof(state)) {
            std::memcpy(state.data(), from, sizeof(state));
            random_offsets[to].push_back(state[1]);
        }
        SimDevice::upload(to, from, bytes, stream);
    }
};

Model sampling_model() {
    return parse_model({"model.json", R"({"schema": "graphplan.model", "schema_version": "1.0", "name": "m",
        "dtype": "bf16", "dims": {"hidden": 64, "vocab": 128}, "nodes": [{"name": "llm",
        "resources": {"rng": {"kind": "philox"}, "stuck": {"kind": "philox", "can_capture": false}},
        "walks": {"decode": {"inputs": {"ids": {"dtype": "i32", "shape": ["tokens"]}}, "program": [
          {"op": "embedding", "x": "ids", "features": "hidden", "rows": "vocab", "out": "h"},
          {"op": "linear", "x": "h", "features": "vocab", "out": "logits"},
          {"op": "sample", "x": "logits", "method": "top_k", "top_k": 4, "rng": "rng", "out": "next"}],
          "outputs": ["next"]},
         "stuck": {"inputs": {"ids": {"dtype": "i32", "shape": ["tokens"]}}, "program": [
          {"op": "embedding", "x": "ids", "features": "vocab", "rows": "vocab", "out": "h"},
          {"op": "sample", "x": "h", "method": "top_k", "top_k": 4, "rng": "stuck", "out": "next"}],
          "outputs": ["next"]}},
        "regions": {"vit": {"inputs": {"x": {"dtype": "bf16", "shape": ["tokens", "hidden"]}}, "program": [
          {"op": "linear", "x": "x", "features": "hidden", "out": "y"}], "outputs": ["y"]}}}]})",
                        ""},
                       {});
}

Buckets sampling_buckets() {
    return parse_buckets(
        {"buckets.json", R"({"schema": "graphplan.buckets", "schema_version": "1.0", "captures": [
        {"node": "llm", "walk": "decode", "kind": "batched", "batch_sizes": [4, 8]},
        {"node": "llm", "walk": "decode", "key": "no", "kind": "batched", "batch_sizes": [2], "capture": "deny"},
        {"node": "llm", "walk": "stuck", "kind": "batched", "batch_sizes": [2]},
        {"node": "llm", "region": "vit", "kind": "batched", "tokens_per_request": 4, "batch_sizes": [2]}]})",
         ""},
        {});
}

/// An engine, claimed, over a device that keeps a record, behind a script of faults.
struct Rig {
    explicit Rig(const std::vector<std::string>& faults = {}, bool captures = true) {
        auto recorder = std::make_unique<Recorder>(h200(captures));
        device = recorder.get();
        owner = std::move(recorder);
        std::vector<Fault> script;
        for (const std::string& fault : faults) script.push_back(parse_fault(fault));
        if (!script.empty()) owner = with_faults(std::move(owner), script);
        engine = make_interpreter(*owner, sampling_model(), sampling_buckets(), {});
        engine->claim();
    }
    const BucketSpec& bucket(const std::string& walk, std::int64_t bs) const {
        return *std::find_if(engine->buckets().begin(), engine->buckets().end(), [&](const BucketSpec& spec) {
            return spec.id.walk == walk && spec.id.bs == bs;
        });
    }
    BucketTiming time(const std::string& walk, std::int64_t bs, const TimingOptions& options = {}) {
        return time_bucket(*engine, bucket(walk, bs), options);
    }
    Bytes taken() { return owner->memory().used_by_process.value_or(0); }

    Recorder* device = nullptr;
    std::unique_ptr<Device> owner;
    std::unique_ptr<Engine> engine;
};

// Forwards write the random state once each, so that they can be counted.
std::size_t forwards(const Rig& rig) {
    return rig.device->random_offsets.empty() ? 0 : rig.device->random_offsets.begin()->second.size();
}

}  // namespace

TEST_CASE("one graph holds as many forwards as the budget does, and is replayed ten times") {
    Rig rig;
    const BucketTiming timing = rig.time("decode", 8);
    REQUIRE(timing.eager);
    REQUIRE(timing.replay);
    CHECK_FALSE(timing.failure);
    CHECK(timing.pool == "llm");
    CHECK(timing.id == rig.bucket("decode", 8).id);
    CHECK(timing.replay->summary.n == 10);
    CHECK(timing.calls == static_cast<std::int64_t>(100'000 / timing.eager->summary.median));
    CHECK(rig.device->instantiated == 1);
    CHECK(rig.device->launches == 11);
    CHECK(rig.device->nodes % timing.calls == 0);
    CHECK(*timing.ratio() > 1);
}

TEST_CASE("a replay takes the work of its nodes and the gaps between them, divided by the calls") {
    Rig rig;
    const BucketTiming many = rig.time("decode", 8);
    TimingOptions short_budget;
    short_budget.budget_us = 1;
    const BucketTiming one = rig.time("decode", 8, short_budget);
    CHECK(one.calls == 1);
    // Alone, a graph's launch is not hidden behind the one before.
    CHECK(one.replay->summary.median >= many.replay->summary.median);
    CHECK(one.replay->summary.median <= many.replay->summary.median + h200().profile.launch_us);
}

TEST_CASE("the warm-up keeps to its budget within 5 and 200 forwards, the samples to theirs") {
    TimingOptions options;
    options.budget_us = 1;  // five eager samples, the estimate's
    options.warmup_us = 0;
    Rig least;
    least.time("decode", 8, options);
    CHECK(forwards(least) == 2 + 5 + 1 + 5);
    options.warmup_us = 1e9;
    Rig most;
    most.time("decode", 8, options);
    CHECK(forwards(most) == 2 + 200 + 1 + 5);
    options.budget_us = 1e9;
    options.warmup_us = 0;
    Rig samples;
    CHECK(samples.time("decode", 2, options).eager->summary.n == 1000);  // denied: no graph of so many
}

TEST_CASE("random numbers go on unbroken through captures, good and bad") {
    const std::vector<std::string> faults =
        GENERATE(values<std::vector<std::string>>({{},
                                                   {"begin_capture=fails"},
                                                   {"capture_run#1=fails"},
                                                   {"end_capture=fails"},
                                                   {"instantiate=fails"},
                                                   {"launch=out_of_memory"}}));
    CAPTURE(faults);
    Rig rig(faults);
    const BucketTiming first = rig.time("decode", 8);
    CHECK(first.failure.has_value() == !faults.empty());
    const std::unique_ptr<PreparedSlot> slot = rig.engine->prepare(rig.bucket("decode", 8), 0);
    slot->forward();
    const auto& offsets = rig.device->random_offsets.begin()->second;
    REQUIRE(offsets.size() > 2);
    for (std::size_t i = 0; i < offsets.size(); ++i) CHECK(offsets[i] == 4 * i);
}

TEST_CASE("everything that a bucket took is back, whether its graph came or not") {
    const std::vector<std::string> faults = GENERATE(
        values<std::vector<std::string>>({{}, {"capture_run@bs=8#1=fails"}, {"instantiate@bs=8=fails"}}));
    Rig rig(faults);
    rig.time("decode", 4);  // the first capture and the executables' memory stay with the driver
    rig.engine->release_cached();
    const Bytes live = rig.engine->allocator().allocated_bytes(), taken = rig.taken();
    TimingOptions options;
    options.budget_us = 10;
    options.flush_l2 = GENERATE(false, true);
    rig.time("decode", 8, options);
    rig.engine->release_cached();
    CHECK(rig.engine->allocator().allocated_bytes() == live);
    CHECK(rig.taken() == taken);
}

TEST_CASE("a failure has a class, a phase and a word, and decides what stands") {
    struct Case {
        std::string fault;
        FailureClass kind;
        std::string phase, reason;
        bool eager, poisons;
    };
    const std::vector<Case> cases = {
        {"capture_run=fails", FailureClass::recoverable, "capture", "cudaErrorStreamCaptureUnsupported", true,
         false},
        {"instantiate=out_of_memory", FailureClass::recoverable, "instantiate", "cudaErrorMemoryAllocation",
         true, false},
        {"capture_run=poisons", FailureClass::poisoned, "capture", "cudaErrorIllegalAddress", true, true},
        {"begin_capture=poisons:900", FailureClass::poisoned, "capture", "cudaErrorStreamCaptureUnsupported",
         true, true},
        {"launch=poisons:710", FailureClass::fatal, "replay", "cudaErrorAssert", false, true},
        {"launch=poisons", FailureClass::poisoned, "replay", "cudaErrorIllegalAddress", true, true},
        {"launch#5=fails", FailureClass::fatal, "replay", "cudaErrorUnknown", false, false},
        {"run=fails", FailureClass::fatal, "warm_up", "cudaErrorLaunchOutOfResources", false, false},
        {"run#100=poisons:715", FailureClass::fatal, "eager", "cudaErrorIllegalInstruction", false, true},
    };
    for (const Case& expected : cases) {
        CAPTURE(expected.fault);
        Rig rig({expected.fault});
        TimingOptions options;
        options.warmup_us = 0;
        const BucketTiming timing = rig.time("decode", 8, options);
        REQUIRE(timing.failure);
        CHECK(timing.failure->kind == expected.kind);
        CHECK(timing.failure->phase == expected.phase);
        CHECK(timing.failure->reason == expected.reason);
        CHECK(timing.failure->message.find(expected.fault.substr(0, expected.fault.find('='))) !=
              std::string::npos);
        CHECK(timing.eager.has_value() == expected.eager);
        CHECK_FALSE(timing.replay);
        CHECK(rig.owner->poisoned() == expected.poisons);
    }
}

TEST_CASE("the first error of a capture is told, once") {
    Rig rig({"capture_run#1+=fails:905"});
    const std::string message = rig.time("decode", 8).failure->message;
    CHECK(message.find("the injected fault") == message.rfind("the injected fault"));
    CHECK(message.find("capturing linear") != std::string::npos);
}

TEST_CASE("what must not be captured is timed directly, without an attempt") {
    Rig rig({"begin_capture#0+=poisons"});
    const BucketTiming denied = rig.time("decode", 2), stuck = rig.time("stuck", 2);
    CHECK(denied.eager);
    CHECK(denied.failure->phase == "denied");
    CHECK_FALSE(denied.failure->kind);
    CHECK(stuck.eager);
    CHECK(stuck.failure->phase == "resource");
    CHECK(stuck.failure->message.find("stuck") != std::string::npos);
    CHECK_FALSE(rig.owner->poisoned());
}

TEST_CASE("a device that captures nothing is timed directly throughout") {
    Rig rig({}, false);
    const BucketTiming timing = rig.time("decode", 8);
    CHECK(timing.eager);
    CHECK(timing.failure->phase == "device");
    CHECK_FALSE(timing.failure->kind);
}

TEST_CASE("the L2 is flushed before each forward, outside what is timed") {
    Rig warm, cold;
    const BucketTiming usual = warm.time("decode", 8);
    TimingOptions options;
    options.flush_l2 = true;
    const BucketTiming flushed = cold.time("decode", 8, options);
    CHECK(warm.device->fills == 0);
    CHECK(flushed.calls == 1);
    const auto eager = static_cast<int>(forwards(cold));
    CHECK(cold.device->fills == eager + static_cast<int>(*flushed.replay->summary.n));
    CHECK(*flushed.replay->summary.n > 10);
    // The simulation has no cache: what is timed is the same, which a flush within it would not leave.
    CHECK(flushed.eager->summary.median == Approx(usual.eager->summary.median));
    CHECK(flushed.replay->summary.median <= usual.replay->summary.median + h200().profile.launch_us);
}

TEST_CASE("a hook that resets state runs before each forward, outside what is timed") {
    Rig rig;
    int resets = 0;
    const Address memory = rig.owner->allocate(64 * kMiB);
    TimingOptions options;
    options.reset = [&](std::uint64_t stream) {
        ++resets;
        rig.owner->copy(memory, memory + 32 * kMiB, 32 * kMiB, stream);
    };
    const BucketTiming timing = rig.time("decode", 8, options);
    CHECK(resets == static_cast<int>(forwards(rig)) + static_cast<int>(*timing.replay->summary.n));
    const double usual = Rig().time("decode", 8).eager->summary.median;
    CHECK(timing.eager->summary.median == Approx(usual));
}

TEST_CASE("regions are timed, too") {
    Rig rig;
    const BucketTiming timing = rig.time("vit", 2);
    CHECK(timing.is_region);
    CHECK(timing.eager);
    CHECK(timing.replay);
    CHECK(timing.calls > 1);
}

TEST_CASE("the same input gives the same times") {
    Rig first, second;
    CHECK(first.time("decode", 8).replay == second.time("decode", 8).replay);
}

TEST_CASE("options that make no sense are refused") {
    Rig rig;
    TimingOptions options;
    SECTION("replays") { options.replays = 0; }
    SECTION("budget") { options.budget_us = 0; }
    SECTION("warm-up") { options.warmup_us = -1; }
    CHECK_THROWS_AS(rig.time("decode", 8, options), Error);
}
