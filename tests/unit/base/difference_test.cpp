#include "graphplan/base.hpp"

#include "catch.hpp"

using namespace graphplan;

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
