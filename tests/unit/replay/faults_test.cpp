// Fails each call of a capture run in turn.
#include <fmt/format.h>

#include "replay_fixture.hpp"

using namespace graphplan;

namespace {

/// Memory in segments and graphs' blocks, once everything but the engine is gone.
Bytes left_behind(Served& served) {
    served.session.reset();
    served.engine->release_cached();
    return served.engine->allocator().allocated_bytes();
}

Bytes used(Device& device) { return *device.memory().used_by_process; }

/// What a claimed engine holds.
Bytes claimed_bytes() {
    static const Bytes bytes = [] {
        Served served;
        served.engine->claim();
        return served.engine->allocator().allocated_bytes();
    }();
    return bytes;
}

struct Outcome {
    std::string error;
    std::size_t dropped = 0;
    bool poisoned = false;
    bool happened() const { return !error.empty() || dropped > 0; }
};

/// A run that is hit: what is captured is replayed, and nothing stays behind.
Outcome run(const std::string& fault, const Plan& plan) {
    Served served({fault}, {}, plan);
    const Bytes before = used(*served.device);
    Bytes driver_keeps = 0;
    Outcome outcome;
    outcome.error = message_of([&] {
        const CaptureReport& report = served.session->capture();
        outcome.dropped = report.dropped.size();
        std::size_t captured = 0;
        driver_keeps = report.one_off_bytes;
        for (const TakenPool& pool : report.pools) {
            captured += pool.captured;
            driver_keeps += pool.taken_outside_bytes;
        }
        CHECK(captured + outcome.dropped == plan.pools[0].captures.size());
    });
    outcome.poisoned = served.device->poisoned();
    if (!outcome.error.empty()) {
        served.session.reset();
        served.engine.reset();
        if (!outcome.poisoned) CHECK(used(*served.device) == before);
        return outcome;
    }
    for (const StepShape& shape : {step("decode", 1, 1), step("prefill", 1, 20), step("vit", 1, 4)}) {
        if (const std::optional<Lease> lease = served.session->lease(shape)) served.run(*lease);
    }
    served.session->synchronize();
    CHECK(left_behind(served) == claimed_bytes());
    served.engine.reset();
    CHECK(used(*served.device) == before + driver_keeps);
    return outcome;
}

}  // namespace

TEST_CASE("whichever call fails, later captures work or the session says why, and nothing leaks") {
    const std::string operation =
        GENERATE("run", "begin_capture", "capture_run", "end_capture", "instantiate", "allocate");
    const std::string effect = GENERATE("fails", "out_of_memory", "poisons");
    const Outputs outputs = GENERATE(Outputs::per_graph, Outputs::shared);
    CAPTURE(operation, effect, to_string(outputs));
    const Plan plan = outputs == Outputs::shared ? sharing(served_plan()) : served_plan();
    // The allocator gives back what it cached and tries again: memory must stay out to be missed.
    const bool stays_out = operation == "allocate" && effect == "out_of_memory";
    int hit = 0;
    for (int call = 0;; ++call) {
        const std::string fault = fmt::format("{}#{}{}={}", operation, call, stays_out ? "+" : "", effect);
        CAPTURE(fault);
        const Outcome outcome = run(fault, plan);
        if (!outcome.happened()) break;
        ++hit;
        CHECK(outcome.poisoned == (effect == "poisons"));
        if (!stays_out) CHECK(outcome.dropped <= 1);
        if (effect == "poisons") CHECK(contains(outcome.error, "injected fault"));
        if (!outcome.error.empty() && effect != "poisons") CHECK(contains(outcome.error, "claiming"));
        REQUIRE(call < 1000);
    }
    CHECK(hit >= (operation == "allocate" ? 4 : 10));
}
