#include "graphplan/plan.hpp"

#include "catch.hpp"

using namespace graphplan;

TEST_CASE("a plan's words are those of its document") {
    CHECK(to_string(MemoryModel::segments) == "segments");
    CHECK(to_string(MemoryModel::exact) == "exact");
    CHECK(to_string(EagerReason::does_not_fit) == "does_not_fit");
    CHECK(to_string(EagerReason::floor_does_not_fit) == "floor_does_not_fit");
    CHECK(to_string(EagerReason::not_captured) == "not_captured");
    CHECK(to_string(EagerReason::denied) == "denied");
    CHECK(to_string(EagerReason::not_worth_it) == "not_worth_it");
    CHECK(to_string(EagerReason::dropped_on_rank) == "dropped_on_rank");
}

TEST_CASE("changes have words") {
    CHECK(to_string(Change::Kind::added) == "added");
    CHECK(to_string(Change::Kind::removed) == "removed");
    CHECK(to_string(Change::Kind::dropped) == "dropped");
    CHECK(to_string(Change::Kind::moved) == "moved");
    CHECK(to_string(Change::Kind::time) == "time");
    CHECK(to_string(Change::Kind::bytes) == "bytes");
    CHECK(to_string(Change::Kind::reason) == "reason");
    CHECK(to_string(Change::Kind::budget) == "budget");
    CHECK(to_string(Change::Kind::environment) == "environment");
    CHECK(to_string(Change::Kind::origin) == "origin");
}

TEST_CASE("a difference matters if one of its changes does") {
    Difference difference;
    CHECK_FALSE(difference.matters());
    difference.changes.emplace_back().matters = false;
    CHECK_FALSE(difference.matters());
    difference.changes.emplace_back();
    CHECK(difference.matters());
}
