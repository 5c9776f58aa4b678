#include "catch.hpp"
#include "graphplan/base.hpp"

using namespace graphplan;

TEST_CASE("bytes are written in binary units") {
    CHECK(format_bytes(0) == "0 B");
    CHECK(format_bytes(1023) == "1023 B");
    CHECK(format_bytes(kKiB) == "1.0 KiB");
    CHECK(format_bytes(kMiB * 3 / 2) == "1.5 MiB");
    CHECK(format_bytes(-2 * kGiB) == "-2.0 GiB");
}

TEST_CASE("round_up gives whole units") {
    CHECK(round_up(0, kSegment) == 0);
    CHECK(round_up(1, kSegment) == kSegment);
    CHECK(round_up(kSegment, kSegment) == kSegment);
}
