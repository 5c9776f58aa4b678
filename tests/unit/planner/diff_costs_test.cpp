#include <algorithm>

#include "catch.hpp"
#include "graphplan/planner.hpp"
#include "reference_planner.hpp"

namespace graphplan {
namespace {

Costs sample() {
    Costs costs = testing::random_costs(4, true);
    costs.pools = {{"llm", {testing::bucket("d", 2, 5, 9, 1), testing::bucket("d", 1, 4, 8, 1)}}};
    costs.traces = {{{true, EventTag::none, 0, 8}}};
    costs.pools[0].buckets[0].trace = 0;
    costs.walks = {testing::held_by("llm", "d", 0)};
    costs.walks[0].curve_bytes = {0, 0, 5};
    return costs;
}

/// The one change that an edit makes.
template <typename Edit>
Change change_of(Edit edit) {
    const Costs before = sample();
    Costs after = before;
    edit(after);
    const Difference difference = diff(before, after);
    REQUIRE(difference.changes.size() == 1);
    return difference.changes[0];
}

}  // namespace

TEST_CASE("equal costs do not differ") { CHECK(diff(sample(), sample()).changes.empty()); }

TEST_CASE("each field of costs that changes is named") {
    using Kind = Change::Kind;
    CHECK(change_of([](Costs& c) { c.pools[0].buckets[1].peak_bytes = 6; }).what == "peak_bytes");
    CHECK(change_of([](Costs& c) { c.pools[0].buckets[1].graph_bytes.reset(); }).after.empty());
    CHECK(change_of([](Costs& c) { c.pools[0].buckets[1].slots = 2; }).what == "slots");
    CHECK(change_of([](Costs& c) { c.pools[0].buckets[1].failure = Failure{}; }).kind == Kind::reason);
    CHECK(change_of([](Costs& c) { c.pools[0].buckets[1].sized_by = SizedBy::lend; }).after == "lend");
    CHECK(change_of([](Costs& c) { c.pools[0].buckets.pop_back(); }).kind == Kind::removed);
    CHECK(change_of([](Costs& c) { c.pools[0].buckets.push_back(testing::bucket("e", 1, 0, 0, 0)); }).kind ==
          Kind::added);
    CHECK(change_of([](Costs& c) { std::swap(c.pools[0].buckets[0], c.pools[0].buckets[1]); }).kind ==
          Kind::moved);
    CHECK(change_of([](Costs& c) { c.traces[0][0].bytes = 9; }).what == "trace");
    CHECK(change_of([](Costs& c) { c.walks[0].curve_bytes[1] = 1; }).what == "curve_bytes");
    CHECK(change_of([](Costs& c) { c.walks[0].held_bytes = 1; }).what == "held_bytes");
    CHECK(change_of([](Costs& c) { c.walks.clear(); }).kind == Kind::removed);
    CHECK(change_of([](Costs& c) { c.allocator.max_split_size_mb = 40; }).kind == Kind::environment);
    CHECK(change_of([](Costs& c) { c.free_bytes = 7; }).kind == Kind::budget);
    CHECK(change_of([](Costs& c) { c.pools.push_back({"q", {}}); }).what == "pool");
}

TEST_CASE("another place of the same trace is no change, nor does a time matter") {
    Costs after = sample();
    after.traces.insert(after.traces.begin(), EventTrace{});
    after.pools[0].buckets[0].trace = 1;
    CHECK(diff(sample(), after).changes.empty());
    after.pools[0].buckets[0].replay_us = TimeSummary{};
    CHECK(diff(sample(), after).changes.size() == 1);
    CHECK_FALSE(diff(sample(), after).matters());
}

}  // namespace graphplan
