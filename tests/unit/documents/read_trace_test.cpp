#include <string>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

namespace {

const std::string kTrace = R"({"schema":"graphplan.trace","schema_version":"1.0",
 "source":{"framework":"torch","device":"NVIDIA H200","case":"x"},
 "allocator":{"policy":"torch","options":{"expandable_segments":true}},
 "captures":[
  {"pool":"main","walk":"decode","key":null,"bs":2,"tokens":2,"slot":1,"eager_peak_bytes":9,"kept_bytes":8,"nodes":7,
   "events":[["a",0,512],["a",1,512]],"segments":[[140187732541440,2097152]],
   "observed":{"pool_bytes_after":2097152,"segments_after":1,"free_drop_bytes":-5,"instantiate_drop_bytes":null}},
  {"pool":"main","walk":"decode","bs":1,"tokens":1,"events":[["f",0],["a",2,512]],"observed":null}]})";

Trace read(const std::string& text) { return parse_trace(document(text), strict()); }

void check_refused(const std::string& what, const std::string& by, const std::string& part) {
    CAPTURE(what, by);
    check_failure([&] { read(replaced(kTrace, what, by)); }, part);
}

}  // namespace

TEST_CASE("a trace is read as it stands") {
    const Trace trace = read(kTrace);
    CHECK(trace.source == "t.json");
    CHECK(trace.allocator.expandable_segments);
    REQUIRE(trace.captures.size() == 2);
    const TraceCapture& first = trace.captures[0];
    CHECK(first.pool == "main");
    CHECK(first.id == BucketKey{"decode", std::nullopt, 2, 2});
    CHECK(first.slot == 1);
    CHECK(first.eager_peak_bytes == 9);
    CHECK(first.kept_bytes == 8);
    CHECK(first.nodes == 7);
    CHECK(first.events.size() == 2);
    REQUIRE(first.segments);
    REQUIRE(first.segments->size() == 1);
    CHECK(first.segments->at(0).address == 140187732541440u);
    CHECK(first.segments->at(0).bytes == 2097152);
    CHECK(first.observed_pool_bytes_after == 2097152);
    const TraceCapture& second = trace.captures[1];
    CHECK(second.slot == 0);
    CHECK_FALSE(second.eager_peak_bytes);
    CHECK_FALSE(second.segments);
    CHECK_FALSE(second.observed_pool_bytes_after);
}

TEST_CASE("ids run over the whole document") {
    check_refused("[\"f\",0]", "[\"f\",3]", "/captures/1/events/0: id 3 is freed but was never allocated");
    check_refused("[\"a\",2,512]", "[\"a\",1,512]",
                  "/captures/1/events/1: id 1 is allocated while it is live");
    check_refused("[\"a\",2,512]", "[\"f\",0]", "/captures/1/events/1: id 0 is freed twice");
}

TEST_CASE("traces that cannot be are refused at their place") {
    check_refused("\"slot\":1", "\"slot\":-1", "/captures/0/slot: expected an integer from 0");
    check_refused("\"pool\":\"main\",", "", "/captures/0: \"pool\" is missing");
    check_refused("[140187732541440,2097152]", "[140187732541440]",
                  "/captures/0/segments/0: expected [address, bytes]");
    check_refused("[140187732541440,2097152]", "[-1,2097152]",
                  "/captures/0/segments/0/0: expected an integer from 0");
    check_refused("[140187732541440,2097152]", "[1,0]",
                  "/captures/0/segments/0/1: expected an integer from 1");
    check_refused("[140187732541440,2097152]", "7", "/captures/0/segments/0: expected a list");
    check_refused("\"pool_bytes_after\":2097152", "\"pool_bytes_after\":-1",
                  "/observed/pool_bytes_after: expected an integer");
    check_refused("\"observed\":null", "\"observed\":7", "/captures/1/observed: expected null or an object");
    check_refused("\"observed\":null", "\"obsreved\":null",
                  "/captures/1/obsreved: unknown key \"obsreved\". Did you mean \"observed\"?");
    check_refused("\"case\":\"x\"", "\"case\":1", "/source/case: expected a string");
    check_failure([] { read(R"({"schema":"graphplan.trace","schema_version":"1.0","captures":[]})"); },
                  "/captures: expected a list of captures, found an empty list");
}

TEST_CASE("every recording is read without a warning") {
    for (const std::string name :
         {"llama_desc", "llama_shuffled.roundup_power2_divisions_4", "qwen_decode", "random1",
          "random1.expandable_segments", "random1.max_split_size_mb_40.roundup_power2_divisions_2", "vocoder",
          "vocoder.expandable_segments"}) {
        CAPTURE(name);
        const Trace trace = parse_trace(
            read_text(GRAPHPLAN_SOURCE_DIR "/tests/data/recordings/" + name + ".json.gz"), strict());
        CHECK_FALSE(trace.captures.empty());
        CHECK(trace.captures.back().observed_pool_bytes_after);
    }
}
