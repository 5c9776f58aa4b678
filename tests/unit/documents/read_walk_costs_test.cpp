#include <string>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

namespace {

WalkCosts read(const std::string& executable) {
    const std::string text =
        R"({"schema":"graphplan.costs","schema_version":"1.0","pools":[{"name":"llm","buckets":[
      {"walk":"decode","bs":8,"tokens":8,"peak_bytes":5,"graph_bytes":100,"kept_bytes":10}]}],
      "walks":[{"pool":"llm","walk":"decode","executable":)" +
        executable + "}]}";
    return parse_costs(document(text), strict()).walks.at(0);
}

void check_refused(const std::string& executable, const std::string& part) {
    CAPTURE(executable);
    check_failure([&] { read(executable); }, "/walks/0/executable" + part);
}

void check_walks_refused(const std::string& walks, const std::string& part) {
    CAPTURE(walks);
    const std::string text =
        R"({"schema":"graphplan.costs","schema_version":"1.0","pools":[{"name":"llm","buckets":[
      {"walk":"decode","bs":8,"tokens":8,"peak_bytes":5,"graph_bytes":100,"kept_bytes":10}]}],"walks":)" +
        walks + "}";
    check_failure([&] { parse_costs(document(text), strict()); }, part);
}

}  // namespace

TEST_CASE("a walk's executable memory is read") {
    const WalkCosts walk =
        read(R"({"nodes":388,"bytes_per_node":2575,"held_bytes":7,"copies":2,"curve_bytes":[0,0,2097152]})");
    CHECK(walk.pool == "llm");
    CHECK(walk.walk == "decode");
    CHECK_FALSE(walk.key);
    CHECK(walk.nodes == 388);
    CHECK(walk.bytes_per_node == 2575.0);
    CHECK(walk.held_bytes == 7);
    CHECK(walk.copies == 2);
    CHECK(walk.curve_bytes == std::vector<Bytes>{0, 0, 2097152});
}

TEST_CASE("every part of it may be missing") {
    CHECK(read("null").copies == 0);
    const WalkCosts walk = read("{}");
    CHECK_FALSE(walk.nodes);
    CHECK_FALSE(walk.bytes_per_node);
    CHECK(walk.held_bytes == 0);
    CHECK(walk.copies == 0);
    CHECK(walk.curve_bytes.empty());
    CHECK(read(R"({"curve_bytes":[0,5,5]})").copies == 2);
    CHECK(read(R"({"copies":9})").curve_bytes.empty());
    CHECK(read(R"({"copies":0,"curve_bytes":[0]})").copies == 0);
}

TEST_CASE("a curve that cannot be is refused") {
    check_refused(R"({"copies":2,"curve_bytes":[0,1]})",
                  "/curve_bytes: expected copies + 1 = 3 entries, found 2");
    check_refused(R"({"copies":0,"curve_bytes":[0,1]})",
                  "/curve_bytes: expected copies + 1 = 1 entries, found 2");
    check_refused(R"({"curve_bytes":[]})", "/curve_bytes: expected a list of bytes");
    check_refused(R"({"curve_bytes":[1,2]})",
                  "/curve_bytes/0: expected 0, which is what no copy takes, found 1");
    check_refused(R"({"curve_bytes":[0,4,3]})",
                  "/curve_bytes/2: expected at least 4, as one copy fewer took, found 3");
    check_refused(R"({"curve_bytes":[0,-1]})", "/curve_bytes/1: expected an integer from 0");
}

TEST_CASE("rates and counts that cannot be are refused") {
    check_refused(R"({"bytes_per_node":-0.5})",
                  "/bytes_per_node: expected a number from 0 to 2^53, found -0.5");
    check_refused(R"({"bytes_per_node":1e300})", "/bytes_per_node: expected a number from 0 to 2^53");
    check_refused(R"({"bytes_per_node":"x"})", "/bytes_per_node: expected a number, found \"x\"");
    check_refused(R"({"nodes":0})", "/nodes: expected an integer from 1");
    check_refused(R"({"copies":-1})", "/copies: expected an integer from 0");
    check_refused(R"({"held_bytes":0.5})", "/held_bytes: expected an integer from 0");
    check_refused("[]", ": expected an object of nodes");
    check_refused(R"({"node":1})", "/node: unknown key \"node\". Did you mean \"nodes\"?");
}

TEST_CASE("a walk's pool is one of the document, and each walk stands once") {
    check_walks_refused(R"([{"pool":"lm","walk":"decode"}])",
                        "/walks/0/pool: no pool \"lm\" in this document. Did you mean \"llm\"?");
    check_walks_refused(R"([{"pool":"llm","walk":"decode"},{"pool":"llm","walk":"decode","key":null}])",
                        "/walks/1: walk \"decode\" of pool \"llm\" stands twice, first at /walks/0");
    check_walks_refused(
        R"([{"pool":"llm","walk":"decode","key":"a"},{"pool":"llm","walk":"decode","key":"a"}])",
        "/walks/1: walk \"decode[a]\" of pool \"llm\" stands twice");
    check_walks_refused(R"({})", "/walks: expected a list of walks, found an object");
    check_walks_refused(R"([{"pool":"llm"}])", "/walks/0: \"walk\" is missing");
}

TEST_CASE("a walk that no bucket uses is no error") {
    const std::string text =
        R"({"schema":"graphplan.costs","schema_version":"1.0","pools":[{"name":"llm","buckets":[
      {"walk":"decode","bs":8,"tokens":8,"peak_bytes":5,"graph_bytes":100,"kept_bytes":10}]}],
      "walks":[{"pool":"llm","walk":"other"},{"pool":"llm","walk":"other","key":"k"}]})";
    CHECK(parse_costs(document(text), strict()).walks.size() == 2);
}
