#include <string>

#include "documents/json_tree.hpp"
#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::documents;

namespace {

void check_refused(const std::string& text, const std::string& part) {
    CAPTURE(text);
    test::check_failure([&] { parse_json("t.json", text); }, part);
}

}  // namespace

TEST_CASE("numbers keep how they were written") {
    const JsonTree tree = parse_json(
        "t",
        "[0, -1, 9223372036854775807, -9223372036854775808, 9223372036854775808, 18446744073709551616, 1.0, "
        "1e3, -0, 0.1]");
    CHECK(tree[1].integer == 0);
    CHECK(tree[2].integer == -1);
    CHECK(tree[3].integer == INT64_MAX);
    CHECK(tree[4].integer == INT64_MIN);
    CHECK(tree[5].kind == JsonKind::big_integer);
    CHECK(tree.text(tree[5]) == "9223372036854775808");
    CHECK(tree[6].kind == JsonKind::big_integer);
    CHECK(tree.text(tree[6]) == "18446744073709551616");
    CHECK(tree[7].kind == JsonKind::number);
    CHECK(tree[8].kind == JsonKind::number);
    CHECK(tree[8].number == 1000.0);
    CHECK(tree[9].kind == JsonKind::integer);
    CHECK(tree[10].number == 0.1);
}

TEST_CASE("strings are unescaped, and a byte order mark is skipped") {
    const JsonTree tree = parse_json("t", "\xEF\xBB\xBF[\"a\\n\\u00fc\\ud83d\\ude00\"]");
    CHECK(tree.text(tree[1]) == "a\nü😀");
}

TEST_CASE("a text that is not JSON is refused with line and column") {
    check_refused("", "t.json: the file is empty: expected a JSON object");
    check_refused(" \n\t", "the file is empty");
    check_refused("{\"a\": 1", "t.json: line 1, column 8: the JSON is cut off");
    check_refused("{\n \"a\": [1,\n", "t.json: line 3, column 1: the JSON is cut off");
    check_refused("[\"abc", "the JSON is cut off");
    check_refused("[tru", "the JSON is cut off");
    check_refused("\xEF\xBB\xBF", "the JSON is cut off");
    check_refused("{\"a\": 1,\n  }", "line 2, column 3: this is not JSON: syntax error");
    check_refused("{\"a\" 1}", "line 1, column 6: this is not JSON");
    check_refused("[1] [2]", "line 1, column 5: this is not JSON");
    check_refused("[1]\n// done", "line 2, column 1: this is not JSON");
    check_refused("['a']", "line 1, column 2: this is not JSON");
    check_refused("[01]", "line 1, column 3: this is not JSON");
}

TEST_CASE("NaN, Infinity and numbers beyond a double are refused in words") {
    check_refused("[1, NaN]", "line 1, column 5: NaN and Infinity are no JSON numbers");
    check_refused("[1, -inf]", "NaN and Infinity are no JSON numbers");
    check_refused("[nan]", "NaN and Infinity are no JSON numbers");
    check_refused("[Infinity]", "NaN and Infinity are no JSON numbers");
    check_refused("[-Infinity]", "NaN and Infinity are no JSON numbers");
    check_refused("[1e999]", "a number is too large for a double");
}

TEST_CASE("what is not UTF-8 is refused at its first byte") {
    check_refused("{\n\"\xFF\": 1}", "line 2, column 2: not UTF-8: byte 0xff");
    check_refused("[\"a\xC3\"]", "line 1, column 4: not UTF-8: byte 0xc3");
    check_refused("\xFF\xFE{\0}\0", "line 1, column 1: not UTF-8: byte 0xff");
    check_refused("[\"\xED\xA0\x80\"]", "not UTF-8");
    check_refused(std::string("[1]\0", 4), "line 1, column 4: a NUL byte");
    check_refused(std::string("{}\0{}", 5), "line 1, column 3: a NUL byte");
}

TEST_CASE("a key that stands twice is refused at its pointer") {
    check_refused(R"({"a":1,"b":2,"a":3})", "t.json: /a: this key stands twice");
    check_refused(R"([{"x":{"p":[0,{"k":1,"k":2}]}}])", "t.json: /0/x/p/1/k: this key stands twice");
    CHECK_NOTHROW(parse_json("t", R"({"a":{"a":{"a":1}},"b":{"a":1}})"));
    CHECK_NOTHROW(parse_json("t", R"([{"a":1,"b":{"a":1}},{"a":1,"b":2}])"));
}

TEST_CASE("nesting has a limit, far from the stack's") {
    CHECK_NOTHROW(parse_json("t", std::string(64, '[') + std::string(64, ']')));
    std::string deep(65, '[');
    deep.append(65, ']');
    check_refused(deep, "more than 64 lists and objects inside one another");
    test::check_failure([] { parse_json("t.json", std::string(10'000'000, '[')); }, "t.json: /0/0/0");
}

TEST_CASE("the count of values has a limit") {
    CHECK_NOTHROW(parse_json("t", "[[1,2],{\"a\":null}]", 6));
    test::check_failure([] { parse_json("t.json", "[[1,2],{\"a\":null}]", 5); },
                        "t.json: /1/a: more than 5 values in one document");
    test::check_failure([] { parse_json("t.json", "[[1,[2]]]", 3); }, "t.json: /0/1: more than 3 values");
}
