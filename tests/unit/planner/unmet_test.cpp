#include "planner/unmet.hpp"

#include "catch.hpp"
#include "reference_planner.hpp"

namespace graphplan {

TEST_CASE("a demand that is met has no line, one that is not says why and by how much") {
    BucketCost failed = testing::bucket("d", 1, 0, std::nullopt, 0);
    failed.failure = Failure{Failure::Kind::capture, "the first error"};
    Costs costs = testing::costs_of(
        {{"p", {testing::bucket("d", 4, 0, 8 * kMiB, 8 * kMiB), testing::bucket("d", 2, 0, 0, 0), failed}}},
        5 * kMiB);
    PlanOptions options;
    options.must = {{"d", 2, std::nullopt}};
    CHECK(make_plan(std::span<const Costs>(&costs, 1), options).unmet.empty());
    options.must = {{"d", 4, std::nullopt}, {"d", 1, 1}};
    const std::vector<std::string> lines = make_plan(std::span<const Costs>(&costs, 1), options).unmet;
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] ==
          "--must d:4: p: d bs=4 tokens=4 stays eager: does_not_fit: needs 8.0 MiB, short by 3.0 MiB "
          "(3145728 bytes)");
    CHECK(lines[1] == "--must d:1:1: p: d bs=1 tokens=1 stays eager: not_captured: the first error");
    CHECK(lines[2] ==
          "the demanded buckets take 8.0 MiB in all, 3.0 MiB (3145728 bytes) more than the room of 5.0 MiB");
    options.must.clear();
    options.require_all = true;
    const std::vector<std::string> all = make_plan(std::span<const Costs>(&costs, 1), options).unmet;
    REQUIRE(all.size() == 2);
    CHECK(all[0].find("--require-all: 2 of 3 buckets stay eager, first p: d bs=4 tokens=4: does_not_fit") ==
          0);
}

}  // namespace graphplan
