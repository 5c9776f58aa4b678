#include <string>
#include <vector>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

namespace {

const std::string kCosts = R"({"schema":"graphplan.costs","schema_version":"1.0",
 "free_bytes":1000,"free_bytes_before":2000,"one_off_bytes":3,
 "pools":[{"name":"llm","buckets":[
   {"walk":"decode","bs":8,"tokens":8,"peak_bytes":5,"graph_bytes":100,"kept_bytes":10},
   {"walk":"decode","bs":4,"tokens":4,"peak_bytes":5,"graph_bytes":100,"kept_bytes":10,"trace":1}]}],
 "traces":[{"events":[]},{"events":[["a",0,512]]}]})";

Costs read(const std::string& text) { return parse_costs(document(text), strict()); }

// kCosts with one thing changed is refused.
void check_refused(const std::string& what, const std::string& by, const std::string& part) {
    CAPTURE(what, by);
    check_failure([&] { read(replaced(kCosts, what, by)); }, part);
}

BucketCost first_with(const std::string& fields) {
    return read(replaced(kCosts, "\"kept_bytes\":10", "\"kept_bytes\":10," + fields)).pools[0].buckets[0];
}

}  // namespace

TEST_CASE("costs are read as they stand") {
    const Costs costs = read(kCosts);
    CHECK(costs.source == "t.json");
    CHECK(costs.free_bytes == 1000);
    CHECK(costs.free_bytes_before == 2000);
    CHECK(costs.one_off_bytes == 3);
    REQUIRE(costs.pools.size() == 1);
    REQUIRE(costs.pools[0].buckets.size() == 2);
    CHECK(costs.pools[0].buckets[0].id.bs == 8);
    CHECK(costs.pools[0].buckets[1].trace == 1);
    REQUIRE(costs.traces.size() == 2);
    CHECK(costs.traces[1].size() == 1);
}

TEST_CASE("a bucket's optional fields") {
    const BucketCost bucket = first_with(
        R"("slots":2,"outside_bytes":7,"region":"vit","nodes":9,"sized_by":"lend","eager_us":{"n":3,"median":1.5,"p90":2})");
    CHECK(bucket.slots == 2);
    CHECK(bucket.outside_bytes == 7);
    CHECK(bucket.region == "vit");
    CHECK(bucket.nodes == 9);
    CHECK(bucket.sized_by == SizedBy::lend);
    REQUIRE(bucket.eager_us);
    CHECK(bucket.eager_us->n == 3);
    CHECK(bucket.eager_us->median == 1.5);
    CHECK(bucket.eager_us->p90 == 2.0);
    CHECK_FALSE(bucket.eager_us->mean);
    CHECK_FALSE(bucket.replay_us);
    const BucketCost bare = first_with(
        R"("region":null,"nodes":null,"sized_by":null,"failure":null,"trace":null,"eager_us":null)");
    CHECK(bare == first_with(R"("slots":1)"));
}

TEST_CASE("a failure is its kind and its words") {
    const auto failure = [](const std::string& text) {
        return *first_with("\"failure\":\"" + text + "\"").failure;
    };
    CHECK(failure("denied: capture: deny") == Failure{Failure::Kind::denied, "capture: deny"});
    CHECK(failure("resource: rng cannot capture") == Failure{Failure::Kind::resource, "rng cannot capture"});
    CHECK(failure("instantiate: out of memory") == Failure{Failure::Kind::instantiate, "out of memory"});
    CHECK(failure("capture:no space") == Failure{Failure::Kind::capture, "no space"});
    CHECK(failure("denied") == Failure{Failure::Kind::denied, ""});
    CHECK(failure("cudaErrorStreamCaptureUnsupported") ==
          Failure{Failure::Kind::capture, "cudaErrorStreamCaptureUnsupported"});
    CHECK(failure("captured badly: x") == Failure{Failure::Kind::capture, "captured badly: x"});
}

TEST_CASE("a null graph is a bucket that could not be captured, 0 is a graph") {
    CHECK_FALSE(read(replaced(kCosts, "\"graph_bytes\":100", "\"graph_bytes\":null"))
                    .pools[0]
                    .buckets[0]
                    .graph_bytes);
    const std::string zero =
        replaced(kCosts, "\"graph_bytes\":100,\"kept_bytes\":10", "\"graph_bytes\":0,\"kept_bytes\":0");
    CHECK(read(zero).pools[0].buckets[0].graph_bytes == 0);
}

TEST_CASE("costs that cannot be are refused at their place") {
    check_refused(
        "\"kept_bytes\":10", "\"kept_bytes\":101",
        "/pools/0/buckets/0/kept_bytes: kept_bytes are part of graph_bytes: expected at most 100, found 101");
    check_refused("\"bs\":8", "\"bs\":-8",
                  "/pools/0/buckets/0/bs: expected an integer from 1 to 2^53, found -8");
    check_refused("\"bs\":8", "\"bs\":8.0",
                  "/pools/0/buckets/0/bs: expected an integer from 1 to 2^53, found 8.0");
    check_refused("\"bs\":8,", "", "/pools/0/buckets/0: \"bs\" is missing");
    check_refused("\"bs\":8", "\"bs\":4,\"bs\":8", "/pools/0/buckets/0/bs: this key stands twice");
    check_refused(
        "\"bs\":8,\"tokens\":8", "\"bs\":4,\"tokens\":4",
        "/pools/0/buckets/1: bucket decode bs=4 tokens=4 stands twice, first at /pools/0/buckets/0");
    check_refused("\"peak_bytes\":5", "\"peak_bytes\":9007199254740993",
                  "/peak_bytes: expected an integer from 0 to 2^53");
    check_refused("\"peak_bytes\":5", "\"peak_bytes\":\"5\"",
                  "/peak_bytes: expected an integer from 0 to 2^53, found \"5\"");
    check_refused("\"peak_bytes\":5", "\"peak_bytes\":null", "/peak_bytes: expected an integer");
    check_refused("\"graph_bytes\":100", "\"graph_bytes\":1e2", "/graph_bytes: expected an integer");
    check_refused("\"graph_bytes\":100,", "", "\"graph_bytes\" is missing");
    check_refused("\"trace\":1", "\"trace\":2",
                  "/pools/0/buckets/1/trace: expected an integer from 0 to 1, found 2");
    check_refused("\"trace\":1", "\"slots\":0", "/slots: expected an integer from 1 to 2^53, found 0");
    check_refused("\"trace\":1", "\"slots\":null", "/slots: expected an integer from 1");
    check_refused("\"trace\":1", "\"nodes\":-1", "/nodes: expected an integer from 0");
    check_refused("\"trace\":1", "\"sized_by\":\"guess\"",
                  "/sized_by: expected one of \"capture\", \"lend\", found \"guess\"");
    check_refused("\"trace\":1", "\"failure\":7", "/failure: expected a string, found 7");
    check_refused("\"trace\":1", "\"eager_us\":{\"mean\":1}", "/eager_us: \"median\" is missing");
    check_refused("\"trace\":1", "\"eager_us\":{\"median\":-1}",
                  "/eager_us/median: expected microseconds, at least 0");
    check_refused("\"trace\":1", "\"graph_byte\":1",
                  "/graph_byte: unknown key \"graph_byte\". Did you mean \"graph_bytes\"?");
    check_refused("\"one_off_bytes\":3", "\"one_off_bytes\":-3",
                  "t.json: /one_off_bytes: expected an integer");
    check_refused("\"free_bytes\":1000", "\"free_bytes\":true", "t.json: /free_bytes: expected an integer");
    check_refused("\"name\":\"llm\"", "\"name\":\"\"", "/pools/0/name: a name is empty");
    check_refused("\"name\":\"llm\"", "\"name\":7", "/pools/0/name: expected a string");
}

TEST_CASE("a trace that no bucket can have is refused at its event") {
    check_refused("[\"a\",0,512]", "[\"a\",0,512],[\"f\",0],[\"f\",0]",
                  "/traces/1/events/2: id 0 is freed twice");
    check_refused("{\"events\":[]}", "{\"events\":[[\"f\",0]]}",
                  "/traces/0/events/0: id 0 is freed but was never allocated");
    check_refused("{\"events\":[]}", "{}", "/traces/0: \"events\" is missing");
    check_refused("{\"events\":[]}", "[]", "/traces/0: expected a trace");
    check_failure(
        [] {
            read(replaced(kCosts, "\"traces\":[{\"events\":[]},{\"events\":[[\"a\",0,512]]}]",
                          "\"traces\":[]"));
        },
        "/pools/0/buckets/1/trace: a bucket names a trace, but the document has none");
}

TEST_CASE("each trace of costs has ids of its own") {
    CHECK(read(replaced(kCosts, "{\"events\":[]}", "{\"events\":[[\"a\",0,1]]}")).traces.size() == 2);
}

TEST_CASE("empty lists and pools that stand twice are refused") {
    const std::string head = R"({"schema":"graphplan.costs","schema_version":"1.0",)";
    const std::string bucket =
        R"({"walk":"w","bs":1,"tokens":1,"peak_bytes":0,"graph_bytes":0,"kept_bytes":0})";
    check_failure([&] { read(head + "\"pools\":[]}"); },
                  "/pools: expected a list of pools, found an empty list");
    check_failure([&] { read(head + "\"pools\":{}}"); }, "/pools: expected a list of pools, found an object");
    check_failure([&] { read(R"({"schema":"graphplan.costs","schema_version":"1.0"})"); },
                  "\"pools\" is missing");
    check_failure([&] { read(head + R"("pools":[{"name":"a","buckets":[]}]})"); },
                  "/pools/0/buckets: expected a list of buckets, found an empty list");
    const std::string pool = "{\"name\":\"a\",\"buckets\":[" + bucket + "]}";
    check_failure([&] { read(head + "\"pools\":[" + pool + "," + pool + "]}"); },
                  "/pools/1: pool \"a\" stands twice, first at /pools/0");
}

TEST_CASE("what looks odd but may be is no error") {
    // A trace that no bucket uses, a null graph with kept bytes, one pool's walk name in another pool.
    CHECK_NOTHROW(
        read(R"({"schema":"graphplan.costs","schema_version":"1.0","traces":[{"events":[["a",0,1]]}],"pools":[
      {"name":"a","buckets":[{"walk":"w","bs":1,"tokens":1,"peak_bytes":0,"graph_bytes":null,"kept_bytes":9}]},
      {"name":"b","buckets":[{"walk":"w","bs":1,"tokens":1,"peak_bytes":0,"graph_bytes":9,"kept_bytes":9}]}]})"));
}

TEST_CASE("a newer minor version is read, its unknown keys are warnings") {
    std::vector<std::string> warnings;
    const ReadOptions options{
        .strict = false, .log = [&](LogLevel, std::string_view message) { warnings.emplace_back(message); }};
    const std::string newer =
        replaced(replaced(kCosts, "\"1.0\"", "\"1.7\""), "\"trace\":1", "\"energy_mj\":1");
    CHECK(parse_costs(document(newer), options).pools.size() == 1);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0] == "t.json: /pools/0/buckets/1/energy_mj: unknown key \"energy_mj\". It is ignored.");
}

TEST_CASE("the recorded costs documents are read") {
    for (const std::string name : {"fresh_llama_p2", "fresh_vocoder", "fresh_vocoder.expandable_segments"}) {
        const DocumentText text =
            read_text(GRAPHPLAN_SOURCE_DIR "/tests/data/fresh_process/" + name + ".json.gz");
        // The costs stand in the recording's "costs".
        const std::size_t start = text.text.find("{\"schema\"");
        const std::size_t end = text.text.find(",\"fresh_process\"");
        REQUIRE(start != std::string::npos);
        REQUIRE(end != std::string::npos);
        const Costs costs = read(text.text.substr(start, end - start));
        CHECK(costs.traces.size() == costs.pools.at(0).buckets.size());
        CHECK(costs.walks.at(0).curve_bytes.size() == 41);
    }
}
