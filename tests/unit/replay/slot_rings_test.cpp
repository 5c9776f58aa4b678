#include "replay/slot_rings.hpp"

#include <map>

#include "replay_fixture.hpp"

using namespace graphplan;
using Turn = replay::SlotRings::Turn;

namespace {

/// Buckets of walk "w" with so many slots each, labelled by index and slot.
struct Slotted {
    explicit Slotted(const std::vector<std::int64_t>& slots) : specs(slots.size()) {
        for (std::size_t i = 0; i < slots.size(); ++i) {
            specs[i].pool = "llm";
            specs[i].id = {"w", std::nullopt, static_cast<std::int64_t>(i) + 1, 1};
            captured.push_back(replay::CapturedBucket{&specs[i], nullptr, {}});
            captured.back().slots.resize(static_cast<std::size_t>(slots[i]));
            for (std::int64_t slot = 0; slot < slots[i]; ++slot) {
                captured.back().slots[static_cast<std::size_t>(slot)].label =
                    "bucket " + std::to_string(i) + " slot " + std::to_string(slot);
            }
        }
    }
    std::vector<BucketSpec> specs;
    std::vector<replay::CapturedBucket> captured;
};

/// Rings that know the turn of each slot.
struct Rings {
    Rings(const std::vector<replay::CapturedBucket>& captured, Outputs outputs) : rings(captured, outputs) {}
    std::int64_t take(std::size_t bucket) {
        const Turn turn = rings.take(bucket);
        turns[{bucket, turn.slot}] = turn;
        return turn.slot;
    }
    void give_back(std::size_t bucket, std::int64_t slot) {
        CHECK(rings.give_back(bucket, turns.at({bucket, slot})));
    }
    replay::SlotRings rings;
    std::map<std::pair<std::size_t, std::int64_t>, Turn> turns;
};

}  // namespace

TEST_CASE("with outputs of their own buckets take turns alone") {
    const Slotted buckets({2, 2});
    Rings rings(buckets.captured, Outputs::per_graph);
    CHECK(rings.take(0) == 0);
    CHECK(rings.take(1) == 0);
    CHECK(rings.take(0) == 1);
    CHECK(contains(message_of([&] { rings.take(0); }, ErrorCode::invalid_argument),
                   "\"bucket 0 slot 0\" is still"));
    CHECK(rings.take(1) == 1);
    rings.give_back(0, 1);
    CHECK_FALSE(message_of([&] { rings.take(0); }).empty());  // slot 0's turn
    rings.give_back(0, 0);
    CHECK(rings.take(0) == 0);
}

TEST_CASE("with shared outputs buckets of a walk and key take turns together") {
    Slotted buckets({2, 2, 2, 2, 2});
    buckets.specs[2].id.key = "cfg";
    buckets.specs[3].id.walk = "v";
    buckets.specs[4].pool = "tts";
    Rings rings(buckets.captured, Outputs::shared);
    CHECK(rings.take(0) == 0);
    CHECK(rings.take(1) == 1);
    for (const std::size_t bucket : {0U, 1U}) {
        CHECK(contains(message_of([&] { rings.take(bucket); }, ErrorCode::invalid_argument),
                       "\"bucket 0 slot 0\" is still leased"));
    }
    for (const std::size_t other : {2U, 3U, 4U}) CHECK(rings.take(other) == 0);
    rings.give_back(0, 0);
    CHECK(rings.take(1) == 0);
    CHECK(contains(message_of([&] { rings.take(0); }), "\"bucket 1 slot 1\" is still leased"));
    rings.give_back(1, 1);
    CHECK(rings.take(0) == 1);
}

TEST_CASE("a region's buckets share no turn") {
    Slotted buckets({2, 2});
    for (BucketSpec& spec : buckets.specs) spec.is_region = true;
    Rings rings(buckets.captured, Outputs::shared);
    CHECK(rings.take(0) == 0);
    CHECK(rings.take(1) == 0);
}

TEST_CASE("a bucket that lacks the slot whose turn it is takes its first free one") {
    const Slotted buckets({1, 3, 2});
    Rings rings(buckets.captured, Outputs::shared);
    CHECK(rings.take(1) == 0);
    CHECK(contains(message_of([&] { rings.take(0); }, ErrorCode::invalid_argument), "bucket 1 slot 0"));
    CHECK(rings.take(2) == 1);
    rings.give_back(2, 1);
    CHECK(rings.take(2) == 1);  // 2's turn, and 0 is taken
    rings.give_back(1, 0);
    CHECK(rings.take(1) == 2);
    CHECK(rings.take(0) == 0);
    rings.give_back(0, 0);
    rings.give_back(2, 1);
    rings.give_back(1, 2);
    CHECK(rings.take(0) == 0);  // 1's turn, which it lacks
    rings.give_back(0, 0);
    CHECK(rings.take(0) == 0);
    CHECK(contains(message_of([&] { rings.take(0); }), "bucket 0 slot 0"));
}

TEST_CASE("a slot that is given back twice stays with whoever took it in between") {
    const Outputs outputs = GENERATE(Outputs::per_graph, Outputs::shared);
    const std::size_t between = outputs == Outputs::shared ? GENERATE(0U, 1U) : 0U;
    const Slotted buckets({1, 1});
    replay::SlotRings rings(buckets.captured, outputs);
    const Turn first = rings.take(0);
    CHECK(rings.holds(0, first));
    CHECK(rings.give_back(0, first));
    CHECK_FALSE(rings.holds(0, first));
    const Turn second = rings.take(between);
    CHECK(second.slot == first.slot);
    CHECK_FALSE(rings.holds(0, first));
    CHECK_FALSE(rings.give_back(0, first));
    CHECK(rings.holds(between, second));
    CHECK(contains(message_of([&] { rings.take(0); }), "slot 0\" is still leased"));
    CHECK(rings.give_back(between, second));
    CHECK_FALSE(rings.give_back(between, {}));
}
