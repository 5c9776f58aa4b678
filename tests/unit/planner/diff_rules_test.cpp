#include "catch.hpp"
#include "graphplan/planner.hpp"

namespace graphplan {
namespace {

using Kind = Change::Kind;

Change figures(Kind kind, const char* what, double before, double after, bool matters = true) {
    const bool in_bytes = std::string_view(what).ends_with("_bytes");
    return {kind, "here", what, "a", "b", before, after, matters, in_bytes};
}

bool matters(const Change& change, const DiffRules& rules) { return judged({{change}}, rules).matters(); }

}  // namespace

TEST_CASE("without rules what mattered does") {
    CHECK(matters(figures(Kind::bytes, "peak_bytes", 1, 2), {}));
    CHECK_FALSE(matters(figures(Kind::time, "replay_us median", 1, 2, false), {}));
}

TEST_CASE("thresholds are passed by more, not by as much") {
    const DiffRules percent{10.0, std::nullopt, {}};
    CHECK_FALSE(matters(figures(Kind::bytes, "peak_bytes", 100, 110), percent));
    CHECK(matters(figures(Kind::bytes, "peak_bytes", 100, 111), percent));
    CHECK_FALSE(matters(figures(Kind::bytes, "peak_bytes", 100, 90), percent));
    CHECK(matters(figures(Kind::bytes, "peak_bytes", 0, 1), percent));
    CHECK(matters(figures(Kind::time, "replay_us median", 100, 120, false), percent));
    CHECK_FALSE(matters(figures(Kind::time, "replay_us median", 100, 105, false), percent));
    const DiffRules bytes{std::nullopt, 2 * kMiB, {}};
    CHECK_FALSE(matters(figures(Kind::bytes, "peak_bytes", 0, 2.0 * kMiB), bytes));
    CHECK(matters(figures(Kind::bytes, "peak_bytes", 0, 2.0 * kMiB + 1), bytes));
    CHECK(matters(figures(Kind::bytes, "slots", 1, 2), bytes));
    const DiffRules both{10.0, 2 * kMiB, {}};
    CHECK_FALSE(matters(figures(Kind::bytes, "peak_bytes", 100, 200), both));
    CHECK(matters(figures(Kind::bytes, "peak_bytes", 10.0 * kMiB, 13.0 * kMiB), both));
    CHECK_FALSE(matters({Kind::bytes, "here", "trace", "3 events", "4 events", {}, {}, true, false}, bytes));
}

TEST_CASE("a stricter rule doesn't bring back what a threshold covers, and no threshold covers another GPU") {
    const Change trace{Kind::bytes, "here", "trace", "3 events", "4 events", {}, {}, true, false};
    CHECK_FALSE(matters(trace, {5.0, std::nullopt, {Kind::bytes}}));
    CHECK(matters(trace, {std::nullopt, std::nullopt, {Kind::bytes}}));
    CHECK(matters(figures(Kind::environment, "device total_bytes", 100, 101), {50.0, kGiB, {}}));
}

TEST_CASE("only the kinds that are asked for matter, and those do") {
    const DiffRules dropped{std::nullopt, std::nullopt, {Kind::dropped, Kind::time}};
    CHECK(matters({Kind::dropped, "here", "status", "captured", "eager", {}, {}, true, false}, dropped));
    CHECK_FALSE(matters({Kind::moved, "here", "status", "eager", "captured", {}, {}, true, false}, dropped));
    CHECK_FALSE(matters(figures(Kind::bytes, "peak_bytes", 1, 200), dropped));
    CHECK(matters(figures(Kind::time, "replay_us median", 100, 101, false), dropped));
    CHECK_FALSE(
        matters(figures(Kind::time, "replay_us median", 100, 101, false), {5.0, std::nullopt, {Kind::time}}));
}

}  // namespace graphplan
