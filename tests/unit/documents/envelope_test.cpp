#include "documents/envelope.hpp"

#include <string>

#include "documents_support.hpp"

using namespace graphplan;

namespace {

void open(const std::string& schema, const std::string& version, const std::string& kind) {
    documents::Document document(
        test::document("{\"schema_version\":" + version + ",\"schema\":" + schema + "}"), {});
    documents::open_envelope(document, kind);
}

void check_refused(const std::string& schema, const std::string& version, const std::string& part,
                   ErrorCode code = ErrorCode::invalid_document) {
    CAPTURE(schema, version);
    test::check_failure([&] { open(schema, version, "costs"); }, part, code);
}

}  // namespace

TEST_CASE("the kind and any minor version of major 1 are taken") {
    CHECK_NOTHROW(open("\"graphplan.costs\"", "\"1.0\"", "costs"));
    CHECK_NOTHROW(open("\"graphplan.costs\"", "\"1.7\"", "costs"));
    CHECK_NOTHROW(open("\"graphplan.plan\"", "\"1.99999999999999999999\"", "plan"));
}

TEST_CASE("an unknown schema, too old and too new are three errors") {
    check_refused(
        "\"graphplan.cots\"", "\"1.0\"",
        "t.json: /schema: unknown schema \"graphplan.cots\", expected \"graphplan.costs\". Did you mean "
        "\"graphplan.costs\"?");
    check_refused("\"graphplan.costs\"", "\"0.9\"",
                  "t.json: /schema_version: version 0.9 is too old: this graphplan reads 1.x",
                  ErrorCode::unsupported_version);
    check_refused("\"graphplan.costs\"", "\"2.0\"",
                  "t.json: /schema_version: version 2.0 is too new: this graphplan reads 1.x",
                  ErrorCode::unsupported_version);
    check_refused("\"graphplan.costs\"", "\"99999999999999999999.1\"", "is too new",
                  ErrorCode::unsupported_version);
}

TEST_CASE("another kind is refused, naming the command that takes it") {
    check_refused("\"graphplan.plan\"", "\"1.0\"",
                  "expected \"graphplan.costs\", found \"graphplan.plan\": graphplan explain and graphplan "
                  "diff take plans");
    check_refused("\"graphplan.model\"", "\"1.0\"", "graphplan size takes models");
    check_refused("\"graphplan.buckets\"", "\"1.0\"", "graphplan size takes buckets");
    check_refused("\"graphplan.trace\"", "\"1.0\"", "graphplan simulate takes traces");
    check_refused("\"graphplan.traffic\"", "\"1.0\"", "graphplan plan takes traffic");
    check_refused("\"graphplan.error\"", "\"1.0\"", "no command reads such documents");
    test::check_failure([] { open("\"graphplan.costs\"", "\"1.0\"", "plan"); },
                        "graphplan plan and graphplan diff take costs");
    check_refused("\"openai.thing\"", "\"1.0\"", "unknown schema \"openai.thing\"");
}

TEST_CASE("a malformed envelope is refused") {
    check_refused("7", "\"1.0\"", "/schema: expected a string, found 7");
    check_refused("\"graphplan.costs\"", "1.0", "/schema_version: expected a string, found 1.0");
    for (const std::string version : {"\"1\"", "\"1.\"", "\".0\"", "\"v1.0\"", "\"1.0.0\"", "\"01.0\"",
                                      "\"1.00\"", "\"-1.0\"", "\" 1.0\"", "\"\""}) {
        check_refused("\"graphplan.costs\"", version, "expected a version such as \"1.0\"");
    }
    test::check_failure([] { parse_costs(test::document("{}"), {}); }, "t.json: \"schema\" is missing");
    test::check_failure([] { parse_costs(test::document("[]"), {}); },
                        "t.json: expected an object, as every graphplan document is");
    test::check_failure([] { parse_costs(test::document(R"({"schema":"graphplan.costs"})"), {}); },
                        "\"schema_version\" is missing");
}

TEST_CASE("the schema of any document can be asked for") {
    CHECK(schema_of(test::document(R"({"schema":"graphplan.plan"})")) == "graphplan.plan");
    CHECK(schema_of(test::document(R"({"schema":"other"})")) == "other");
    test::check_failure([] { schema_of(test::document("{}")); }, "\"schema\" is missing");
    test::check_failure([] { schema_of(test::document("3")); }, "expected an object");
}
