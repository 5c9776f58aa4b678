#include "graphplan/plan.hpp"

#include "catch.hpp"

using namespace graphplan;

TEST_CASE("a plan's words are those of its document") {
    CHECK(to_string(MemoryModel::segments) == "segments");
    CHECK(to_string(MemoryModel::exact) == "exact");
    CHECK(to_string(Outputs::per_graph) == "per_graph");
    CHECK(to_string(Outputs::shared) == "shared");
    CHECK(to_string(EagerReason::does_not_fit) == "does_not_fit");
    CHECK(to_string(EagerReason::floor_does_not_fit) == "floor_does_not_fit");
    CHECK(to_string(EagerReason::not_captured) == "not_captured");
    CHECK(to_string(EagerReason::denied) == "denied");
    CHECK(to_string(EagerReason::not_worth_it) == "not_worth_it");
    CHECK(to_string(EagerReason::dropped_on_rank) == "dropped_on_rank");
}
