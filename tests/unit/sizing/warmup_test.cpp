#include "sizing/warmup.hpp"

#include "catch.hpp"
#include "fake_engine.hpp"

using namespace graphplan;

namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a warm slot keeps the figures of its last forward") {
    FakeEngine engine({fake_bucket("decode", 4, 10 * kMiB, 0, 7)});
    const WarmSlot warm = warm_up(engine, engine.buckets()[0], 1, 2);
    CHECK(warm.last.peak_bytes == 10 * kMiB);
    CHECK(warm.last.output_bytes == 7);
    CHECK(warm.last.trace.front().id == 2);
    CHECK(engine.calls == std::vector<std::string>{"prepare decode bs=4 tokens=4/1",
                                                   "forward decode bs=4 tokens=4/1",
                                                   "forward decode bs=4 tokens=4/1"});
    CHECK(engine.live_slots == 1);
    CHECK(warm_up(engine, engine.buckets()[0], 0, 1).last.peak_bytes == 11 * kMiB);
}

TEST_CASE("a warm-up that fails names bucket, slot, free memory, reason and what to do") {
    FakeEngine engine({fake_bucket("decode", 4, 10 * kMiB, 0)});
    engine.gpu.own_bytes = 62 * kGiB;
    std::string failing = "forward";
    SECTION("in the forward") {}
    SECTION("in preparing it") { failing = "prepare"; }
    engine.on_call = [&](const std::string& call) {
        if (call.rfind(failing, 0) == 0) throw Error(ErrorCode::out_of_memory, "no room for 3.0 GiB");
    };
    try {
        warm_up(engine, engine.buckets()[0], 2, 2);
        FAIL("no error");
    } catch (const Error& error) {
        const std::string message = error.what();
        CHECK(error.code() == ErrorCode::out_of_memory);
        CHECK(contains(message, "llm: decode bs=4 tokens=4, slot 2"));
        CHECK(contains(message, "2.0 GiB free before it"));
        CHECK(contains(message, "no room for 3.0 GiB"));
        CHECK(contains(message, "\"capture\": \"deny\" does not help"));
    }
    CHECK(engine.live_slots == 0);
    CHECK(engine.gpu.ranges.empty());
}

TEST_CASE("a long reason is cut, so that the message stays readable") {
    FakeEngine engine({fake_bucket(std::string(3000, 'w'), 4, 10 * kMiB, 0)});
    engine.on_call = [&](const std::string&) { throw Error(ErrorCode::device, std::string(9000, 'x')); };
    try {
        warm_up(engine, engine.buckets()[0], 0, 2);
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::device);
        CHECK(std::string(error.what()).size() < 4000);
    }
}

TEST_CASE("a poisoning capture is named, with the way around it") {
    BucketSpec bucket;
    bucket.pool = "llm";
    bucket.id = {"decode", "cfg", 4, 8};
    const Error error = poisoned_by(bucket, "illegal address");
    CHECK(error.code() == ErrorCode::device);
    CHECK(contains(error.what(), "llm: decode[cfg] bs=4 tokens=8"));
    CHECK(contains(error.what(), "illegal address"));
    CHECK(contains(error.what(), "\"capture\": \"deny\""));
}
