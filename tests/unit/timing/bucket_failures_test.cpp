#include "timing_rig.hpp"

using namespace graphplan;

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
