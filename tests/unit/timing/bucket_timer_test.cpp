#include "engine/range.hpp"
#include "timing_rig.hpp"

using namespace graphplan;

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
