#include "documents/value.hpp"

#include <string>
#include <vector>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::documents;

namespace {

Value root(Document& document) { return {document, JsonTree::kRoot}; }

Value member(Document& document, std::string_view key) {
    return Fields(root(document), "an object").required(key);
}

const DocumentText kText = test::document(
    R"({"int":7,"neg":-1,"max":9007199254740992,"over":9007199254740993,"big":99999999999999999999,"real":1.0,
        "exp":1e6,"frac":2.5,"text":"decode","empty":"","control":"a\u001bb","yes":true,"none":null,"list":[1,2],
        "nothing":[],"object":{"k":1}})");

}  // namespace

TEST_CASE("integers have a range, and are written as integers") {
    Document document(kText, {});
    CHECK(member(document, "int").integer() == 7);
    CHECK(member(document, "max").integer() == 9007199254740992);
    CHECK(member(document, "neg").integer(-1) == -1);
    const auto refused = [&](std::string_view key, const std::string& part, std::int64_t least = 0) {
        test::check_failure([&] { member(document, key).integer(least); }, part);
    };
    refused("neg", "t.json: /neg: expected an integer from 0 to 2^53, found -1");
    refused("neg", "expected an integer from 1 to 2^53, found -1", 1);
    refused("over", "found 9007199254740993");
    refused("big", "found 99999999999999999999");
    refused("real", "found 1.0");
    refused("exp", "found 1000000.0");
    refused("frac", "found 2.5");
    refused("text", "found \"decode\"");
    refused("yes", "found true");
    refused("none", "found null");
    refused("list", "found a list");
    refused("nothing", "found an empty list");
    refused("object", "found an object");
    test::check_failure([&] { member(document, "neg").integer(INT64_MIN, -2); },
                        "expected an integer from -2^63 to -2, found -1");
}

TEST_CASE("numbers may be written either way") {
    Document document(kText, {});
    CHECK(member(document, "int").number() == 7.0);
    CHECK(member(document, "frac").number() == 2.5);
    test::check_failure([&] { member(document, "big").number(); }, "/big: expected a number");
    test::check_failure([&] { member(document, "text").number(); },
                        "/text: expected a number, found \"decode\"");
}

TEST_CASE("other kinds are what they are") {
    Document document(kText, {});
    CHECK(member(document, "yes").boolean());
    CHECK(member(document, "text").text() == "decode");
    CHECK(member(document, "none").is_null());
    test::check_failure([&] { member(document, "int").boolean(); }, "/int: expected true or false, found 7");
    test::check_failure([&] { member(document, "int").text(); }, "/int: expected a string, found 7");
    test::check_failure([&] { member(document, "int").items("pools"); },
                        "/int: expected a list of pools, found 7");
    test::check_failure([&] { member(document, "nothing").non_empty_items("pools"); },
                        "/nothing: expected a list of pools, found an empty list");
    test::check_failure([&] { member(document, "list").members("walks"); },
                        "/list: expected an object of walks, found a list");
}

TEST_CASE("names are printable and of a sane length") {
    Document document(kText, {});
    CHECK(member(document, "text").name() == "decode");
    test::check_failure([&] { member(document, "empty").name(); }, "/empty: a name is empty");
    test::check_failure([&] { member(document, "control").name(); },
                        "/control: a name holds control characters");
    CHECK(name_fault(std::string(256, 'a')) == nullptr);
    CHECK(name_fault(std::string(257, 'a')) != nullptr);
    CHECK(name_fault("größe") == nullptr);
    CHECK(name_fault("a\xC2\xA0z") == nullptr);
    CHECK(name_fault("a\xC2\x9Bz") != nullptr);
    CHECK(name_fault("a\x7F") != nullptr);
}

TEST_CASE("children come in order") {
    Document document(kText, {});
    std::vector<std::int64_t> found;
    for (const Value item : member(document, "list").items("integers")) found.push_back(item.integer());
    CHECK(found == std::vector<std::int64_t>{1, 2});
    for (const Value item : member(document, "object").members("things")) {
        CHECK(item.key() == "k");
        CHECK(item.pointer() == "/object/k");
    }
}

TEST_CASE("fields are found in any order") {
    Document document(test::document(R"({"a":1,"b":2,"c":null})"), test::strict());
    Fields fields(root(document), "an object");
    CHECK(fields.required("b").integer() == 2);
    CHECK(fields.required("a").integer() == 1);
    CHECK_FALSE(fields.optional("c"));
    CHECK_FALSE(fields.defaulted("d"));
    CHECK_NOTHROW(fields.finish());
}

TEST_CASE("a null field is there, but holds nothing") {
    Document document(test::document(R"({"a":null})"), {});
    CHECK(Fields(root(document), "an object").defaulted("a")->is_null());
    CHECK_FALSE(Fields(root(document), "an object").optional("a"));
}

TEST_CASE("a missing field names what may be meant") {
    Document document(test::document(R"({"nmae":"x"})"), {});
    test::check_failure([&] { Fields(root(document), "an object").required("name"); },
                        "t.json: \"name\" is missing. Is \"nmae\" meant to be it?");
    test::check_failure([&] { Fields(root(document), "an object").required("buckets"); },
                        "t.json: \"buckets\" is missing");
}

TEST_CASE("what is no object has no fields") {
    Document document(test::document("[1]"), {});
    test::check_failure([&] { Fields(root(document), "a pool, which is an object"); },
                        "t.json: expected a pool, which is an object, found a list");
}

TEST_CASE("an unknown key is a warning with its pointer, an error if strict") {
    const DocumentText text = test::document(R"({"a":1,"slot":2,"zzzzzzzz":3})");
    std::vector<std::string> warnings;
    Document document(text, {.strict = false, .log = [&](LogLevel level, std::string_view message) {
                                 CHECK(level == LogLevel::warning);
                                 warnings.emplace_back(message);
                             }});
    const auto read = [](Document& from) {
        Fields fields(root(from), "an object");
        fields.required("a");
        fields.defaulted("slots");
        fields.finish();
        from.finish();
    };
    read(document);
    REQUIRE(warnings.size() == 2);
    CHECK(warnings[0] == "t.json: /slot: unknown key \"slot\". Did you mean \"slots\"? It is ignored.");
    CHECK(warnings[1] == "t.json: /zzzzzzzz: unknown key \"zzzzzzzz\". It is ignored.");
    Document strict_document(text, test::strict());
    test::check_failure([&] { read(strict_document); }, "t.json: /slot: unknown key \"slot\"");
}

TEST_CASE("many unknown keys are named up to a limit, then counted") {
    std::string text = "{\"k\":0";
    for (int i = 0; i < 100; ++i) text += ",\"u" + std::to_string(i) + "\":0";
    std::vector<std::string> warnings;
    Document document(test::document(text + "}"),
                      {.strict = false,
                       .log = [&](LogLevel, std::string_view message) { warnings.emplace_back(message); }});
    Fields(root(document), "an object").finish();
    document.finish();
    REQUIRE(warnings.size() == 21);
    CHECK(warnings.back() == "t.json: 81 more unknown keys are ignored");
}
