#include "progress.hpp"

#include <sstream>

#include "catch.hpp"

using graphplan::cli::Progress;

TEST_CASE("Progress is a line an item off a terminal and one line on it") {
    std::ostringstream err;
    {
        Progress progress(err, false, true);
        progress.report(0, 2, "llm: decode bs=2");
        progress.report(1, 2, "llm: decode bs=1");
    }
    CHECK(err.str() == "[1/2] llm: decode bs=2\n[2/2] llm: decode bs=1\n");
    err.str("");
    {
        Progress progress(err, true, true);
        progress.report(0, 2, "a");
        progress.report(1, 2, "b");
    }
    CHECK(err.str() == "\r\x1b[K[1/2] a\r\x1b[K[2/2] b\r\x1b[K");
}

TEST_CASE("Quiet progress says nothing") {
    std::ostringstream err;
    {
        Progress progress(err, true, false);
        progress.report(0, 2, "a");
    }
    CHECK(err.str().empty());
}
