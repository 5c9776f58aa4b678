#include <algorithm>

#include "catch.hpp"
#include "graphplan/planner.hpp"
#include "reference_planner.hpp"

namespace graphplan {
namespace {

using testing::bucket;

Plan plan_of(Bytes free) {
    const Costs costs =
        testing::costs_of({{"llm",
                            {bucket("d", 8, 0, 9 * kMiB, 4 * kMiB), bucket("d", 4, 0, 7 * kMiB, 2 * kMiB),
                             bucket("d", 2, 0, kMiB, 0)}}},
                          free);
    return make_plan(std::span<const Costs>(&costs, 1), {}).plan;
}

const Change* find(const Difference& difference, Change::Kind kind, const std::string& what) {
    const auto found = std::find_if(difference.changes.begin(), difference.changes.end(),
                                    [&](const Change& c) { return c.kind == kind && c.what == what; });
    return found == difference.changes.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("equal plans do not differ") {
    const Plan plan = plan_of(kGiB);
    CHECK(diff(plan, plan).changes.empty());
    CHECK_FALSE(diff(plan, plan).matters());
}

TEST_CASE("a bucket that is no longer captured is dropped, and the budget says why") {
    const Difference difference = diff(plan_of(kGiB), plan_of(9 * kMiB));
    const Change* moved = find(difference, Change::Kind::dropped, "status");
    REQUIRE(moved);
    CHECK(moved->where == "llm: d bs=8 tokens=8");
    CHECK(moved->before == "captured");
    CHECK(moved->after == "eager (does_not_fit)");
    REQUIRE(find(difference, Change::Kind::budget, "free_bytes"));
    CHECK(find(difference, Change::Kind::bytes, "predicted_bytes"));
    CHECK(difference.matters());
}

TEST_CASE("pools, buckets, order, slots and reasons are told apart") {
    const Plan before = plan_of(kGiB);
    Plan order = before;
    std::rotate(order.pools[0].captures.begin(), order.pools[0].captures.begin() + 2,
                order.pools[0].captures.end());
    const Difference rotated = diff(before, order);
    REQUIRE(rotated.changes.size() == 1);
    CHECK(rotated.changes[0].where == "llm: d bs=2 tokens=2");
    CHECK(rotated.changes[0].before == "3 of 3");
    CHECK(rotated.changes[0].after == "1 of 3");

    Plan slots = before;
    slots.pools[0].captures[0].slots = 2;
    CHECK(find(diff(before, slots), Change::Kind::bytes, "slots"));

    Plan fewer = before;
    fewer.pools[0].captures.pop_back();
    CHECK(find(diff(before, fewer), Change::Kind::dropped, "bucket"));
    CHECK(find(diff(fewer, before), Change::Kind::added, "bucket"));

    Plan pool = before;
    pool.pools.emplace_back().name = "new";
    REQUIRE(diff(before, pool).changes.size() == 1);
    CHECK(find(diff(before, pool), Change::Kind::added, "pool"));
    CHECK(find(diff(pool, before), Change::Kind::removed, "pool"));

    Plan reason = plan_of(9 * kMiB);
    const Plan small = reason;
    reason.pools[0].eager[0].reason = EagerReason::dropped_on_rank;
    reason.pools[0].eager[0].rank = 3;
    CHECK(find(diff(small, reason), Change::Kind::reason, "reason"));
    CHECK(find(diff(small, reason), Change::Kind::reason, "rank"));
}

TEST_CASE("ranks' budgets matter, the digests of their costs do not") {
    Plan before = plan_of(kGiB);
    before.ranks = {{before.budget, "aa"}, {before.budget, "bb"}};
    Plan after = before;
    after.ranks[1].costs_sha256 = "cc";
    CHECK(diff(before, after).changes.size() == 1);
    CHECK_FALSE(diff(before, after).matters());
    after.ranks[1].budget.floor_bytes += 1;
    CHECK(diff(before, after).matters());
    after.ranks.pop_back();
    CHECK(diff(before, after).matters());
}

TEST_CASE("another allocator matters") {
    Plan before;
    before.pools.emplace_back().name = "llm";
    Plan after = before;
    after.allocator = AllocatorOptions{true, std::nullopt, 0};
    CHECK(diff(before, after).changes.empty());  // an older plan could not say
    before.allocator = AllocatorOptions{};
    REQUIRE(diff(before, after).changes.size() == 1);
    CHECK(find(diff(before, after), Change::Kind::environment, "expandable_segments"));
}

TEST_CASE("whether outputs are shared matters, and so do their buffers") {
    const Plan own = plan_of(kGiB);
    Plan before = own;
    before.outputs = Outputs::shared;
    Difference difference = diff(own, before);
    REQUIRE(difference.changes.size() == 1);
    CHECK(difference.matters());
    CHECK(difference.changes[0].what == "outputs");
    CHECK(difference.changes[0].before == "per_graph");
    CHECK(difference.changes[0].after == "shared");

    before.pools[0].output_buffers = {{"d", std::nullopt, 1, 3 * kMiB, 4 * kMiB},
                                      {"d", "k", 1, 512, kSegment}};
    CHECK(diff(before, before).changes.empty());
    const Change* gone = find(diff(before, own), Change::Kind::bytes, "bytes");
    REQUIRE(gone);
    Plan after = before;
    after.pools[0].output_buffers[0].slots = 2;
    after.pools[0].output_buffers[0].bytes = 6 * kMiB;
    after.pools[0].output_buffers.pop_back();
    difference = diff(before, after);
    REQUIRE(difference.changes.size() == 3);
    CHECK(difference.changes[0].where == "llm: d outputs");
    CHECK(difference.changes[0].new_value == 6.0 * kMiB);
    CHECK(difference.changes[1].what == "slots");
    CHECK(difference.changes[2].where == "llm: d[k] outputs");
    CHECK(difference.changes[2].after.empty());
    CHECK(difference.matters());
    Plan slot = before;
    slot.pools[0].output_buffers[1].slot_bytes = 1024;
    CHECK(find(diff(before, slot), Change::Kind::bytes, "slot_bytes"));
}

}  // namespace graphplan
