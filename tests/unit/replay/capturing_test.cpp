#include "replay/capturing.hpp"

#include "replay_fixture.hpp"

using namespace graphplan;

namespace {

Bytes used(Device& device) { return *device.memory().used_by_process; }

}  // namespace

TEST_CASE("a new process takes what the plan of another predicts, pools to the byte") {
    const std::string sample = GENERATE("llama-3.1-8b", "qwen3-0.6b", "mixtral-8x7b", "vocoder", "omni");
    const Bytes free_bytes = GENERATE(8 * kGiB, 600 * kMiB);
    CAPTURE(sample, free_bytes);
    const Model model = sample_model(sample);
    const Buckets buckets = sample_buckets(sample);
    const Plan plan = planned(model, buckets, free_bytes, true);
    const std::unique_ptr<Device> device = sim_device();
    EngineOptions options;
    options.share_weights = true;
    const std::unique_ptr<Engine> engine = make_interpreter(*device, model, buckets, options);
    ReplaySession session(*engine, buckets, plan, {});
    const CaptureReport& report = session.capture();
    CHECK(report.dropped.empty());
    CHECK(report.own_memory);
    REQUIRE(report.pools.size() == plan.pools.size());
    Bytes outside = 0;
    Bytes predicted_outside = 0;
    for (const TakenPool& pool : report.pools) {
        CAPTURE(pool.name);
        CHECK(pool.taken_bytes == pool.predicted_bytes);
        CHECK(pool.captured == pool.planned);
        outside += pool.taken_outside_bytes;
        predicted_outside += pool.predicted_outside_bytes;
    }
    // A piece for each walk: curves end in whole pieces.
    CHECK(std::abs(outside - predicted_outside) <= 6 * kSegment);
    CHECK(report.one_off_bytes == plan.budget.one_off_bytes);
}

TEST_CASE("interned inputs are reported against a copy of them for each graph") {
    Served served;
    const CaptureReport& report = served.session->capture();
    Bytes interned = 0;
    Bytes copies = 0;
    for (const BucketSpec& spec : served.engine->buckets()) {
        if (spec.is_region) continue;
        copies += spec.input_bytes * spec.slots;
        const bool largest = spec.id.bs == 8 || (spec.id.key && spec.id.bs == 4);
        if (largest) interned += spec.input_bytes;
    }
    interned += 64 * 4 + 5 * 4;  // prefill: ids of 64 tokens, offsets of 4 rows
    CHECK(report.input_bytes == interned);
    CHECK(report.saved_input_bytes == copies - interned);
}

TEST_CASE("a bucket with a slot that fails is dropped whole, loudly, and the next ones are captured") {
    Served served({"capture_run@decode bs=4 tokens=4 slot 1#1=fails"});
    const CaptureReport& report = served.session->capture();
    REQUIRE(report.dropped.size() == 1);
    CHECK(report.dropped[0].pool == "llm");
    CHECK(report.dropped[0].id == BucketKey{"decode", std::nullopt, 4, 4});
    CHECK(report.dropped[0].failure.kind == Failure::Kind::capture);
    CHECK(contains(served.warnings, "llm: decode bs=4 tokens=4: dropped, it runs eagerly"));
    CHECK(contains(served.warnings, "planned, and eager all the same: llm: decode bs=4 tokens=4"));
    CHECK(report.pools[0].captured == report.pools[0].planned - 1);
    const auto lease = served.session->lease(step("decode", 3, 3));
    REQUIRE(lease);
    CHECK(lease->bucket->id.bs == 8);
    served.run(*lease);
    CHECK_NOTHROW(served.session->synchronize());
}

TEST_CASE("an executable that cannot be made drops its bucket and says so") {
    Served served({"instantiate@prefill bs=1#0=out_of_memory"});
    const CaptureReport& report = served.session->capture();
    REQUIRE(report.dropped.size() == 1);
    CHECK(report.dropped[0].failure.kind == Failure::Kind::instantiate);
}

TEST_CASE("where graphs are required a dropped bucket is an error that names it") {
    ReplayOptions options;
    options.require_graphs = true;
    Served served({"begin_capture@vit bs=1#0=fails"}, options);
    const std::string message = message_of([&] { served.session->capture(); }, ErrorCode::device);
    CHECK(contains(message, "graphs are required"));
    CHECK(contains(message, "llm: vit bs=1 tokens=4"));
    CHECK_FALSE(served.session->can_run(step("decode", 1, 1)));
}

TEST_CASE("a capture that breaks the context ends the session, with the bucket and what to do") {
    Served served({"capture_run@decode bs=2 tokens=2 slot 0#0=poisons"});
    const std::string message = message_of([&] { served.session->capture(); }, ErrorCode::device);
    CHECK(contains(message, "llm: decode bs=2 tokens=2"));
    CHECK(contains(message, "\"capture\": \"deny\""));
}

TEST_CASE("denied buckets and buckets that are gone are dropped with their reason") {
    Buckets denied = served_buckets();
    denied.captures[3].denied = true;
    Served served({}, {}, served_plan(), denied);
    const CaptureReport& report = served.session->capture();
    REQUIRE(report.dropped.size() == 3);
    for (const DroppedBucket& dropped : report.dropped) CHECK(dropped.failure.kind == Failure::Kind::denied);

    Buckets fewer = served_buckets();
    fewer.captures.pop_back();
    Served gone({}, {}, served_plan(), fewer);
    CHECK(gone.session->capture().dropped.size() == 3);
    CHECK(contains(gone.warnings, "no such bucket"));
}

TEST_CASE("a planned region is the one that its label names") {
    Plan plan = served_plan();
    std::size_t regions = 0, renamed = 0;
    for (PlannedCapture& capture : plan.pools[0].captures) {
        if (!capture.region || ++regions > 2) continue;
        capture.region = ++renamed == 1 ? "audio" : "";
    }
    REQUIRE(renamed == 2);
    Served served({}, {}, plan);
    const CaptureReport& report = served.session->capture();
    REQUIRE(report.dropped.size() == renamed);
    for (const DroppedBucket& dropped : report.dropped) {
        CHECK(dropped.id.walk == "vit");
        CHECK(contains(dropped.failure.reason, "no such bucket"));
    }
    CHECK(report.pools[0].captured == plan.pools[0].captures.size() - renamed);
}

TEST_CASE("a plan of nothing captures nothing") {
    Plan plan = served_plan();
    for (PoolPlan& pool : plan.pools) pool.captures.clear();
    Served served({}, {}, plan);
    const CaptureReport& report = served.session->capture();
    CHECK(report.pools[0].taken_bytes == 0);
    CHECK(report.dropped.empty());
    CHECK_FALSE(served.session->can_run(step("decode", 1, 1)));
}

TEST_CASE("a stop ends it between buckets, progress counts them, and everything goes back") {
    std::stop_source stop;
    ReplayOptions options;
    options.stop = stop.get_token();
    std::size_t total = 0;
    options.progress = [&](std::size_t done, std::size_t all, const BucketSpec&) {
        total = all;
        if (done == 2) stop.request_stop();
    };
    Served served({}, options);
    served.engine->claim();
    const Bytes before = used(*served.device);
    CHECK(contains(message_of([&] { served.session->capture(); }, ErrorCode::interrupted),
                   "interrupted after 3 of"));
    CHECK(total == served_plan().pools[0].captures.size());
    served.session.reset();
    served.engine->release_cached();
    CHECK(used(*served.device) - before <= 72 * kMiB + 8 * kSegment);  // the one-off, executables' pieces
}

TEST_CASE("a process that sizes at boot plans and captures with the same engine") {
    const std::unique_ptr<Device> device = sim_device();
    const Buckets buckets = served_buckets();
    const std::unique_ptr<Engine> engine = make_interpreter(*device, served_model(), buckets, {});
    SizingOptions sizing_options;
    sizing_options.size_by = SizedBy::capture;
    Sizing sizing(*engine, sizing_options);
    const Costs costs = sizing.run();
    PlanOptions plan_options;
    plan_options.free_bytes = 4 * kGiB;
    plan_options.same_process = true;
    const Plan plan = make_plan(std::span(&costs, 1), plan_options).plan;
    CHECK(plan.budget.one_off_bytes == 0);

    // The copies that sizing measured go now: the graphs take what they held.
    sizing.release_copies();
    ReplayOptions options;
    options.warmup_forwards = 0;
    ReplaySession session(*engine, buckets, plan, options);
    const CaptureReport& report = session.capture();
    CHECK(report.dropped.empty());
    CHECK(report.one_off_bytes == 0);
    CHECK(report.pools[0].taken_bytes == plan.pools[0].predicted_bytes);
    CHECK(report.pools[0].taken_outside_bytes <= plan.pools[0].outside_bytes);
    const std::optional<Lease> lease = session.lease(step("decode", 3, 3));
    REQUIRE(lease);
    session.stage(*lease, {});
    session.launch(*lease);
    session.release(*lease);
    CHECK_NOTHROW(session.synchronize());
}

TEST_CASE("a failed capture leaves nothing in its pool: it holds what a plan without that bucket would") {
    const std::string fault = GENERATE("capture_run@prefill bs=4 tokens=2048 slot 0#400=fails",
                                       "instantiate@prefill bs=4 tokens=2048#0=out_of_memory");
    CAPTURE(fault);
    const Model model = sample_model("llama-3.1-8b");
    const Buckets buckets = sample_buckets("llama-3.1-8b");
    // Decode alone, and with one prefill: the largest by far, and first.
    const BucketKey largest{"prefill", std::nullopt, 4, 2048};
    Plan plan = planned(model, buckets, 100 * kGiB, true);
    std::erase_if(plan.pools[0].captures, [&](const PlannedCapture& capture) {
        return capture.id.walk == "prefill" && capture.id != largest;
    });
    Plan without = plan;
    std::erase_if(without.pools[0].captures,
                  [&](const PlannedCapture& capture) { return capture.id == largest; });
    const auto captured_with = [&](const std::vector<std::string>& faults, const Plan& of) {
        const std::unique_ptr<Device> device = sim_device(faults);
        EngineOptions options;
        options.share_weights = true;
        const std::unique_ptr<Engine> engine = make_interpreter(*device, model, buckets, options);
        ReplaySession session(*engine, buckets, of, {});
        CaptureReport report = session.capture();
        const std::optional<Lease> lease = session.lease(step("decode", 3, 3));
        session.stage(*lease, {});
        session.launch(*lease);
        session.release(*lease);
        CHECK_NOTHROW(session.synchronize());
        return report;
    };
    const CaptureReport failed = captured_with({fault}, plan);
    CHECK(failed.dropped.size() == 1);
    const CaptureReport expected = captured_with({}, without);
    CHECK(failed.pools[0].taken_bytes == expected.pools[0].taken_bytes);
    CHECK(failed.pools[0].captured == expected.pools[0].captured);
    CHECK(failed.pools[0].taken_bytes < captured_with({}, plan).pools[0].taken_bytes);
}

TEST_CASE("a pool whose every capture fails holds nothing") {
    Served served({"end_capture#0+=fails"});
    const CaptureReport& report = served.session->capture();
    CHECK(report.dropped.size() == report.pools[0].planned);
    CHECK(report.pools[0].taken_bytes == 0);
}
