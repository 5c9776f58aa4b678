#include "documents/json_writer.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "documents_support.hpp"

using namespace graphplan;
using documents::JsonWriter;
using Layout = JsonWriter::Layout;

namespace {

template <typename T>
std::string written(const T& value) {
    JsonWriter json;
    json.value(value);
    return json.finish();
}

}  // namespace

TEST_CASE("containers stand on lines or on one line") {
    JsonWriter json;
    json.begin_object(Layout::lines);
    json.member("a", std::int64_t{1});
    json.key("list");
    json.begin_list(Layout::lines);
    json.begin_object(Layout::line);
    json.member("b", true);
    json.member("c", "x");
    json.end_object();
    json.null();
    json.end_list();
    json.key("empty");
    json.begin_list(Layout::lines);
    json.end_list();
    json.end_object();
    CHECK(json.finish() ==
          "{\n  \"a\": 1,\n  \"list\": [\n    {\"b\": true, \"c\": \"x\"},\n    null\n  ],\n  \"empty\": "
          "[]\n}\n");
}

TEST_CASE("integers are exact, doubles as short as they read back") {
    CHECK(written(std::int64_t{0}) == "0\n");
    CHECK(written(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808\n");
    CHECK(written(std::numeric_limits<std::int64_t>::max()) == "9223372036854775807\n");
    CHECK(written(2575.0) == "2575.0\n");
    CHECK(written(0.1) == "0.1\n");
    CHECK(written(2989.361403508772) == "2989.361403508772\n");
    CHECK(written(1e300) == "1e+300\n");
    CHECK(written(-0.0) == "-0.0\n");
}

TEST_CASE("a number that is not finite is a defect") {
    test::check_failure([] { written(std::nan("")); }, "not finite", ErrorCode::internal);
    test::check_failure([] { written(std::numeric_limits<double>::infinity()); }, "not finite",
                        ErrorCode::internal);
}

TEST_CASE("strings are escaped, and made UTF-8 if they are not") {
    CHECK(written("a\"b\\c\n\r\t\x01\x7F/ü😀") == "\"a\\\"b\\\\c\\n\\r\\t\\u0001\x7F/ü😀\"\n");
    CHECK(written(std::string_view("a\xFFz\xC3")) == "\"a\xEF\xBF\xBDz\xEF\xBF\xBD\"\n");
    CHECK(written(std::string_view("\0", 1)) == "\"\\u0000\"\n");
}

TEST_CASE("what is absent is null or left out") {
    JsonWriter json;
    json.begin_object(Layout::line);
    json.nullable("a", std::optional<std::int64_t>());
    json.nullable("b", std::optional<std::int64_t>(2));
    json.optional("c", std::optional<std::string>());
    json.optional("d", std::optional<std::string>("x"));
    json.optional("e", std::string());
    json.optional("f", std::string("y"));
    json.end_object();
    CHECK(json.finish() == "{\"a\": null, \"b\": 2, \"d\": \"x\", \"f\": \"y\"}\n");
}
