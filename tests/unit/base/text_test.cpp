#include "base/text.hpp"

#include <string>
#include <vector>

#include "catch.hpp"

using namespace graphplan;

TEST_CASE("quoted escapes what a terminal must not see") {
    CHECK(quoted("decode") == "\"decode\"");
    CHECK(quoted("a\"b\\c") == "\"a\\\"b\\\\c\"");
    CHECK(quoted("\x1b[31m") == "\"\\x1b[31m\"");
    CHECK(quoted("\xff") == "\"\\xff\"");
    CHECK(quoted("größe") == "\"größe\"");
}

TEST_CASE("shortened cuts at a character's boundary") {
    CHECK(shortened("abc", 3) == "abc");
    CHECK(shortened("abcd", 3) == "abc…");
    CHECK(shortened("aö", 2) == "a…");
}

TEST_CASE("suggestions come only from near words") {
    const std::vector<std::string> words{"plan", "size", "simulate"};
    CHECK(nearest("plna", words) == "plan");
    CHECK(nearest("plan", words) == "plan");
    CHECK(nearest("simulat", words) == "simulate");
    CHECK(suggestion("siz", words) == " Did you mean \"size\"?");
    CHECK(suggestion("banana", words).empty());
}

TEST_CASE("is_utf8 refuses overlong, surrogate and cut-off sequences") {
    std::size_t bad = 0;
    CHECK(is_utf8("grö\xf0\x9f\x98\x80", bad));
    CHECK_FALSE(is_utf8("ab\xc0\xaf", bad));
    CHECK(bad == 2);
    CHECK_FALSE(is_utf8("\xed\xa0\x80", bad));
    CHECK_FALSE(is_utf8("x\xe2\x82", bad));
    CHECK_FALSE(is_utf8("\xf5\x80\x80\x80", bad));
}
