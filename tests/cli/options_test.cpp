#include "options.hpp"

#include "catch.hpp"
#include "command_line.hpp"
#include "output.hpp"

using namespace graphplan;
using namespace graphplan::cli;

TEST_CASE("Sizes in MiB are whole numbers from 0 to 2^33") {
    CHECK(parse_mib("--free-mib", std::nullopt) == std::nullopt);
    CHECK(parse_mib("--free-mib", "0") == Bytes{0});
    CHECK(parse_mib("--free-mib", "2048") == 2 * kGiB);
    CHECK(parse_mib("--free-mib", "8589934592") == Bytes{1} << 53);
    for (const char* text : {"", "-1", "1.5", "8589934593", "1 ", "+1", "0x1", "9223372036854775808"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(parse_mib("--free-mib", text), Error);
    }
}

TEST_CASE("Fractions are above 0 and at most 1") {
    CHECK(parse_fraction("--fraction", "0.9") == 0.9);
    CHECK(parse_fraction("--fraction", "1") == 1.0);
    for (const char* text : {"0", "-0.1", "1.1", "nan", "inf", "", "0.5x", "1e-400"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(parse_fraction("--fraction", text), Error);
    }
}

TEST_CASE("Colours follow the option, then NO_COLOR, then the terminal") {
    Environment environment;
    CHECK(wants_color("always", environment, false));
    CHECK_FALSE(wants_color("never", environment, true));
    CHECK(wants_color("auto", environment, true));
    CHECK_FALSE(wants_color("auto", environment, false));
    environment.no_color = true;
    CHECK_FALSE(wants_color("auto", environment, true));
    CHECK(wants_color("always", environment, true));
}

TEST_CASE("An error's colours follow the last --color of the line, right or wrong") {
    CHECK(color_word({"plan", "x.json"}) == "auto");
    CHECK(color_word({"plan", "--color", "always", "x.json"}) == "always");
    CHECK(color_word({"plan", "--color=never", "--color=always"}) == "always");
    CHECK(color_word({"plan", "--color"}) == "auto");
}
