#include <string>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

namespace {

// Two buckets; the second has these fields beside its shape.
std::string costs(const std::string& second, const std::string& rest = "") {
    return R"({"schema":"graphplan.costs","schema_version":"1.0","pools":[{"name":"llm","buckets":[
      {"walk":"w","bs":2,"tokens":2,"peak_bytes":1,"graph_bytes":9007199254740992,"kept_bytes":0},
      {"walk":"w","bs":1,"tokens":1,"peak_bytes":1,)" +
           second + "}]}]" + rest + "}";
}

void check_fits(const std::string& text) { CHECK_NOTHROW(parse_costs(document(text), strict())); }

void check_refused(const std::string& text, const std::string& part) {
    check_failure([&] { parse_costs(document(text), strict()); }, "/pools/0/buckets/1: " + part);
}

const std::string kTrace = R"(,"traces":[{"events":[["a",0,100],["f",0]]}])";

}  // namespace

TEST_CASE("bytes of all buckets add up within 64 bits, or are refused at the bucket that goes beyond") {
    const std::string big = R"("graph_bytes":9007199254740992,"kept_bytes":9007199254740992,"slots":)";
    check_fits(costs(big + "1000"));
    check_fits(costs(big + "1021"));
    check_refused(costs(big + "1024"), "the bytes of all buckets up to this one");
    check_refused(costs(big + "9007199254740992"), "the bytes of all buckets up to this one");
    // Kept bytes count in whole segments.
    check_refused(costs(R"("graph_bytes":1,"kept_bytes":1,"slots":4398046511104)"),
                  "the bytes of all buckets");
    check_fits(costs(R"("graph_bytes":1,"kept_bytes":1,"slots":4390000000000)"));
    check_refused(costs(R"("graph_bytes":null,"kept_bytes":0,"outside_bytes":9007199254740992,"slots":1024)"),
                  "the bytes of all buckets");
}

TEST_CASE("executables add up within 64 bits") {
    const std::string walk =
        R"(,"walks":[{"pool":"llm","walk":"w","executable":{"nodes":10,"bytes_per_node":9007199254740992}}])";
    check_fits(costs(R"("graph_bytes":1,"kept_bytes":0,"nodes":10)", walk));
    check_refused(costs(R"("graph_bytes":1,"kept_bytes":0,"nodes":1000)", walk),
                  "the executables of all buckets");
    check_refused(costs(R"("graph_bytes":1,"kept_bytes":0,"slots":1000)", walk),
                  "the executables of all buckets");
    check_refused(
        costs(R"("graph_bytes":1,"kept_bytes":0,"slots":9007199254740992,"nodes":9007199254740992)"),
        "the executables of all buckets");
}

TEST_CASE("traces are replayed within bounds") {
    check_fits(costs(R"("graph_bytes":1,"kept_bytes":0,"trace":0,"slots":1000)", kTrace));
    check_refused(costs(R"("graph_bytes":1,"kept_bytes":0,"trace":0,"slots":600000000)", kTrace),
                  "the traces of all buckets up to this one (slots × events) hold more than 2^30 events");
    check_refused(
        costs(R"("graph_bytes":1,"kept_bytes":0,"trace":0,"slots":1000000000000)", kTrace),
        "the traces of all buckets up to this one (slots × allocations) may take more than 2^61 bytes");
    check_refused(costs(R"("graph_bytes":1,"kept_bytes":0,"trace":0,"slots":1000)",
                        R"(,"traces":[{"events":[["a",0,9007199254740992]]}])"),
                  "the traces of all buckets up to this one (slots × allocations)");
    // A bucket without a graph replays nothing.
    check_fits(costs(R"("graph_bytes":null,"kept_bytes":0,"trace":0,"slots":600000000)", kTrace));
}
