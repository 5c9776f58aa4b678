#include "sizing_sim_run.hpp"

using namespace graphplan;

TEST_CASE("a warm-up that runs out of memory names its bucket", "[sim]") {
    Setup setup;
    setup.faults = {GENERATE("run@decode bs=16#3=out_of_memory", "allocate@decode bs=16#0+=out_of_memory")};
    Run run(setup);
    const std::string message = run.error(ErrorCode::out_of_memory);
    CHECK(contains(message, "llm: decode bs=16 tokens=16, slot 0"));
    CHECK(contains(message, "free before it"));
    // the copies are gone, and the driver keeps what they took
    const Costs costs = sized({});
    CHECK(run.left() == costs.one_off_bytes + copies_took(costs));
}

TEST_CASE("a device that is too small ends with out of memory", "[sim]") {
    Setup setup;
    setup.model = decoder({4096, 16384, 2, 262144});
    setup.buckets.captures = {batched("llm", "decode", {1, 512}, 4096)};
    Run run(setup);
    CHECK(contains(run.error(ErrorCode::out_of_memory), "llm: decode bs=512 tokens=2097152, slot 0"));
}

TEST_CASE("a capture that is refused loses that graph alone and leaves nothing", "[sim]") {
    const Costs quiet = sized({});
    Setup setup;
    setup.faults = {GENERATE("begin_capture@decode bs=32=fails", "capture_run@decode bs=32#4=fails",
                             "capture_run@decode bs=32#4=out_of_memory", "end_capture@decode bs=32=fails")};
    Run run(setup);
    const Costs costs = run.sizing().run();
    CHECK_FALSE(bucket(costs, 32).graph_bytes);
    CHECK(bucket(costs, 32).failure->kind == Failure::Kind::capture);
    CHECK(bucket(costs, 32).peak_bytes == bucket(quiet, 32).peak_bytes);
    CHECK(bucket(costs, 64) == bucket(quiet, 64));
    // the next one takes its place as the second capture
    CHECK(bucket(costs, 16).sized_by == SizedBy::capture);
    CHECK(bucket(costs, 8).graph_bytes == bucket(quiet, 8).graph_bytes);
    CHECK(contains(run.warnings, "1 of 7 buckets could not be captured"));
    CHECK(costs.one_off_bytes == quiet.one_off_bytes);
    CHECK(run.left() == costs.one_off_bytes + copies_took(costs));
}

TEST_CASE("the first capture of a process may fail and the one-off is still its own", "[sim]") {
    Setup setup;
    setup.faults = {GENERATE("begin_capture#0=fails", "capture_run#2=fails", "end_capture#0=fails")};
    Run run(setup);
    const Costs costs = run.sizing().run();
    CHECK_FALSE(bucket(costs, 64).graph_bytes);
    CHECK(costs.one_off_bytes == sim_profile("h200").first_capture_bytes);
    CHECK(run.left() == costs.one_off_bytes + copies_took(costs));
}

TEST_CASE("an instantiation that fails leaves its graph unsized, and the next one is measured", "[sim]") {
    Setup setup;
    setup.faults = {"instantiate@decode bs=64#0+=fails"};
    Run run(setup);
    const Costs costs = run.sizing().run();
    CHECK_FALSE(bucket(costs, 64).graph_bytes);
    CHECK(bucket(costs, 64).failure->kind == Failure::Kind::instantiate);
    CHECK(bucket(costs, 32).graph_bytes);
    REQUIRE(costs.walks.size() == 1);
    CHECK(costs.walks[0].nodes == bucket(costs, 32).nodes);

    SECTION("a later one only ends the count") {
        Setup later;
        later.faults = {"instantiate@decode bs=64#12=fails"};  // two copies fill an old piece
        const Costs shorter = sized(later);
        CHECK(bucket(shorter, 64).graph_bytes);
        CHECK(shorter.walks.at(0).copies == 10);
        CHECK(shorter.walks.at(0).curve_bytes.size() == 11);
    }
    SECTION("if none can be made, no bucket gets a graph and no walk a measurement") {
        Setup never;
        never.faults = {"instantiate#0+=out_of_memory"};
        const Costs none = sized(never);
        CHECK(none.walks.empty());
        for (const BucketCost& cost : none.pools.at(0).buckets) CHECK_FALSE(cost.graph_bytes);
    }
}

TEST_CASE("a capture that poisons the context ends the run with the way around", "[sim]") {
    Setup setup;
    setup.faults = {GENERATE("begin_capture@decode bs=32=poisons", "capture_run@decode bs=32#1=poisons",
                             "end_capture@decode bs=32=poisons")};
    const std::string message = Run(setup).error(ErrorCode::device);
    CHECK(contains(message, "llm: decode bs=32 tokens=32"));
    CHECK(contains(message, "\"capture\": \"deny\""));
    CHECK_FALSE(contains(message, "does not help"));

    // and denied, it is the way around
    setup.buckets.captures = {batched("llm", "decode", {1, 2, 64}), batched("llm", "decode", {32})};
    setup.buckets.captures[1].denied = true;
    const Costs costs = sized(setup);
    CHECK(bucket(costs, 32).failure->kind == Failure::Kind::denied);
    CHECK(bucket(costs, 64).graph_bytes);
}

TEST_CASE("a warm-up that poisons the context says that denying does not help", "[sim]") {
    Setup setup;
    setup.faults = {"run@decode bs=32#1=poisons"};
    const std::string message = Run(setup).error(ErrorCode::device);
    CHECK(contains(message, "llm: decode bs=32 tokens=32, slot 0"));
    CHECK(contains(message, "does not help"));
}

TEST_CASE("an instantiation that poisons the context names its bucket", "[sim]") {
    Setup setup;
    setup.faults = {"instantiate#5=poisons"};
    CHECK(contains(Run(setup).error(ErrorCode::device), "llm: decode bs=64 tokens=64"));
}
