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
Outcome run(const std::string& fault) {
    Served served({fault});
    Outcome outcome;
    outcome.error = message_of([&] {
        const CaptureReport& report = served.session->capture();
        outcome.dropped = report.dropped.size();
        std::size_t captured = 0;
        for (const TakenPool& pool : report.pools) captured += pool.captured;
        CHECK(captured + outcome.dropped == served_plan().pools[0].captures.size());
    });
    outcome.poisoned = served.device->poisoned();
    if (!outcome.error.empty()) return outcome;
    for (const StepShape& shape : {step("decode", 1, 1), step("prefill", 1, 20), step("vit", 1, 4)}) {
        if (const std::optional<Lease> lease = served.session->lease(shape)) served.run(*lease);
    }
    served.session->synchronize();
    CHECK(left_behind(served) == claimed_bytes());
    return outcome;
}

}  // namespace

TEST_CASE("whichever call fails, later captures work or the session says why, and nothing leaks") {
    const std::string operation =
        GENERATE("run", "begin_capture", "capture_run", "end_capture", "instantiate", "allocate");
    const std::string effect = GENERATE("fails", "out_of_memory", "poisons");
    CAPTURE(operation, effect);
    // The allocator gives back what it cached and tries again: memory must stay out to be missed.
    const bool stays_out = operation == "allocate" && effect == "out_of_memory";
    int hit = 0;
    for (int call = 0;; ++call) {
        const std::string fault = fmt::format("{}#{}{}={}", operation, call, stays_out ? "+" : "", effect);
        CAPTURE(fault);
        const Outcome outcome = run(fault);
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
