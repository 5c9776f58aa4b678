// Fails each call of a capture run in turn.
#include <fmt/format.h>

#include "replay_fixture.hpp"

using namespace graphplan;

namespace {

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

/// A process that serves, from its engine on. What it holds is read below the faults.
struct Faulty {
    Faulty(const std::string& fault, const Plan& planned) : plan(planned) {
        std::unique_ptr<Device> made = sim_device();
        below = made.get();
        before = used(*below);
        device = with_faults(std::move(made), {parse_fault(fault)});
    }

    void capture() {
        engine = make_interpreter(*device, served_model(), buckets, {});
        session = std::make_unique<ReplaySession>(*engine, buckets, plan, ReplayOptions{});
        const CaptureReport& report = session->capture();
        dropped = report.dropped.size();
        std::size_t captured = 0;
        driver_keeps = report.one_off_bytes;
        for (const TakenPool& pool : report.pools) {
            captured += pool.captured;
            driver_keeps += pool.taken_outside_bytes;
        }
        CHECK(captured + dropped == plan.pools[0].captures.size());
    }

    void replay() {
        for (const StepShape& shape : {step("decode", 1, 1), step("prefill", 1, 20), step("vit", 1, 4)}) {
            const std::optional<Lease> lease = session->lease(shape);
            if (!lease) continue;
            session->stage(*lease, {});
            session->launch(*lease);
            session->release(*lease);
        }
        session->synchronize();
    }

    const Plan& plan;
    Buckets buckets = served_buckets();
    Device* below = nullptr;
    Bytes before = 0, driver_keeps = 0;
    std::size_t dropped = 0;
    std::unique_ptr<Device> device;
    std::unique_ptr<Engine> engine;
    std::unique_ptr<ReplaySession> session;
};

struct Outcome {
    std::string error;         ///< of claiming and capturing
    std::string replay_error;  ///< of what was captured
    std::size_t dropped = 0;
    bool poisoned = false;
    bool happened() const { return !error.empty() || dropped > 0; }
};

/// A run that is hit: what is captured is replayed, and nothing stays behind.
Outcome run(const std::string& fault, const Plan& plan) {
    Faulty faulty(fault, plan);
    Outcome outcome;
    outcome.error = message_of([&] { faulty.capture(); });
    outcome.dropped = faulty.dropped;
    outcome.poisoned = faulty.device->poisoned();
    if (outcome.error.empty()) {
        outcome.replay_error = message_of([&] { faulty.replay(); });
        faulty.session.reset();
        faulty.engine->release_cached();
        CHECK(faulty.engine->allocator().allocated_bytes() == claimed_bytes());
    }
    faulty.session.reset();
    faulty.engine.reset();
    const Bytes kept = used(*faulty.below) - faulty.before;
    if (!outcome.error.empty()) {
        if (!outcome.poisoned) CHECK(kept == 0);
    } else if (fault.starts_with("memory")) {
        // The executable that this reading was to size is gone, and the driver keeps its piece uncounted.
        CHECK((kept - faulty.driver_keeps == 0 || kept - faulty.driver_keeps == kSegment));
    } else {
        CHECK(kept == faulty.driver_keeps);
    }
    return outcome;
}

}  // namespace

TEST_CASE("whichever call fails, later captures work or the session says why, and nothing leaks") {
    const std::string operation = GENERATE(
        "run", "begin_capture", "capture_run", "end_capture", "instantiate", "allocate", "memory",
        "create_stream", "create_event", "count_nodes", "synchronize", "record", "copy", "upload", "fill");
    const std::string effect = GENERATE("fails", "out_of_memory", "poisons");
    const Outputs outputs = GENERATE(Outputs::per_graph, Outputs::shared);
    CAPTURE(operation, effect, to_string(outputs));
    const Plan plan = outputs == Outputs::shared ? sharing(served_plan()) : served_plan();
    // The allocator gives back what it cached and tries again: memory must stay out to be missed.
    const bool stays_out = operation == "allocate" && effect == "out_of_memory";
    int call = 0;
    for (;; ++call) {
        const std::string fault = fmt::format("{}#{}{}={}", operation, call, stays_out ? "+" : "", effect);
        CAPTURE(fault);
        const Outcome outcome = run(fault, plan);
        if (!outcome.happened()) break;
        CHECK(outcome.poisoned == (effect == "poisons"));
        if (!stays_out) CHECK(outcome.dropped <= 1);
        if (!outcome.error.empty()) CHECK(contains(outcome.error, "injected fault"));
        CHECK(outcome.replay_error.empty());
        REQUIRE(call < 1000);
    }
    CHECK(call >= 3);
    // No later call is made: the run that ended this swallowed none.
    CHECK_FALSE(run(fmt::format("{}#{}+={}", operation, call, effect), plan).happened());
}
