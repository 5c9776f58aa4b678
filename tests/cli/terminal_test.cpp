#include "terminal.hpp"

#include <sstream>

#include "catch.hpp"

using namespace graphplan::cli;

TEST_CASE("Tables align by characters, not bytes") {
    Table table({{"name"}, {"size", true}});
    table.add({"é", "1 B"});
    table.add({"long name", "12 B"});
    std::ostringstream out;
    table.print(out, Paint(false), "");
    CHECK(out.str() == "name       size\né           1 B\nlong name  12 B\n");
}

TEST_CASE("Control bytes of a document never reach the terminal") {
    CHECK(printable("decode") == "decode");
    CHECK(printable("de\x1b[31mcode") == "\"de\\x1b[31mcode\"");
}

TEST_CASE("Text wraps at spaces") {
    CHECK(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
    CHECK(wrap("unbreakable", 4) == std::vector<std::string>{"unbreakable"});
    CHECK(wrap("", 4) == std::vector<std::string>{""});
}

TEST_CASE("Paint colours only where it is on") {
    CHECK(Paint(false).red("x") == "x");
    CHECK(Paint(true).red("x") == "\x1b[1;31mx\x1b[0m");
}

TEST_CASE("Counted words") {
    CHECK(counted(1, "slot") == "1 slot");
    CHECK(counted(0, "slot") == "0 slots");
}
