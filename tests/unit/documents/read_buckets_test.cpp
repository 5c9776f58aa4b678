#include <string>

#include "documents_support.hpp"

using namespace graphplan;
using namespace graphplan::test;

namespace {

Buckets read(const std::string& captures) {
    return parse_buckets(
        document(R"({"schema":"graphplan.buckets","schema_version":"1.0","captures":)" + captures + "}"),
        strict());
}

void check_refused(const std::string& captures, const std::string& part) {
    CAPTURE(captures);
    check_failure([&] { read(captures); }, part);
}

}  // namespace

TEST_CASE("a batched capture and its defaults") {
    const CaptureConfig capture =
        read(R"([{"node":"llm","walk":"decode","kind":"batched","batch_sizes":[4,1]}])").captures.at(0);
    CHECK(capture.node == "llm");
    CHECK(capture.walk == "decode");
    CHECK_FALSE(capture.is_region);
    CHECK(capture.kind == CaptureKind::batched);
    CHECK(capture.batch_sizes == std::vector<std::int64_t>{4, 1});
    CHECK(capture.tokens_per_request == 1);
    CHECK(capture.tokens_multiplier == 1);
    CHECK(capture.slots == 1);
    CHECK(capture.replay_walks == std::vector<std::string>{"decode"});
    CHECK_FALSE(capture.key);
    CHECK(capture.caps_eager_batch_size);
    CHECK_FALSE(capture.denied);
    CHECK(capture.pointer == "/captures/0");
}

TEST_CASE("a packed capture, and a region") {
    const Buckets buckets = read(R"([
      {"node":"llm","walk":"prefill","kind":"packed","batch_sizes":[1],"token_lengths":[512,64],"slots":2,
       "replay_walks":["prefill","extend"],"key":"cfg","caps_eager_batch_size":false,"capture":"deny"},
      {"node":"v","region":"vit","kind":"batched","batch_sizes":[1],"tokens_per_request":256,"tokens_multiplier":2,
       "walk":null,"capture":"allow"}])");
    REQUIRE(buckets.captures.size() == 2);
    const CaptureConfig& packed = buckets.captures[0];
    CHECK(packed.kind == CaptureKind::packed);
    CHECK(packed.token_lengths == std::vector<std::int64_t>{512, 64});
    CHECK(packed.slots == 2);
    CHECK(packed.replay_walks == std::vector<std::string>{"prefill", "extend"});
    CHECK(packed.key == "cfg");
    CHECK_FALSE(packed.caps_eager_batch_size);
    CHECK(packed.denied);
    CHECK(buckets.captures[1].is_region);
    CHECK(buckets.captures[1].walk == "vit");
    CHECK(shapes_of(buckets.captures[1]) == std::vector<BucketShape>{{1, 512}});
}

TEST_CASE("captures that cannot be are refused at their place") {
    check_refused("[]", "t.json: /captures: expected a list of captures, found an empty list");
    check_refused("[1]", "/captures/0: expected a capture, which is an object, found 1");
    const auto batched = [](const std::string& fields) {
        return R"([{"node":"a","walk":"w","kind":"batched","batch_sizes":[1],)" + fields + "}]";
    };
    const auto packed = [](const std::string& fields) {
        return R"([{"node":"a","walk":"w","kind":"packed","batch_sizes":[1],)" + fields + "}]";
    };
    check_refused(R"([{"walk":"w","kind":"batched","batch_sizes":[1]}])", "/captures/0: \"node\" is missing");
    check_refused(R"([{"node":"a","kind":"batched","batch_sizes":[1]}])",
                  "names either a \"walk\" or a \"region\"");
    check_refused(batched("\"region\":\"r\""),
                  "/captures/0: a capture names either a \"walk\" or a \"region\"");
    check_refused(R"([{"node":"a","walk":"w","batch_sizes":[1]}])", "\"kind\" is missing");
    check_refused(R"([{"node":"a","walk":"w","kind":"ragged","batch_sizes":[1]}])",
                  "/kind: expected one of \"batched\", \"packed\", found \"ragged\"");
    check_refused(R"([{"node":"a","walk":"w","kind":"batched","batch_sizes":[]}])",
                  "/batch_sizes: expected a list of batch sizes");
    check_refused(R"([{"node":"a","walk":"w","kind":"batched","batch_sizes":4}])",
                  "/batch_sizes: expected a list of batch sizes, found 4");
    check_refused(R"([{"node":"a","walk":"w","kind":"batched","batch_sizes":[0]}])",
                  "/batch_sizes/0: expected an integer from 1");
    check_refused(batched("\"slots\":0"), "/captures/0/slots: expected an integer from 1 to 2^53, found 0");
    check_refused(batched("\"tokens_per_request\":0"), "/tokens_per_request: expected an integer from 1");
    check_refused(batched("\"tokens_multiplier\":-1"), "/tokens_multiplier: expected an integer from 1");
    check_refused(batched("\"token_lengths\":[1]"),
                  "/token_lengths: only captures of kind \"packed\" have token_lengths");
    check_refused(packed("\"tokens_per_request\":1,\"token_lengths\":[1]"),
                  "only captures of kind \"batched\" have tokens_per_request");
    check_refused(packed("\"token_lengths\":[]"), "/token_lengths: expected a list of token lengths");
    check_refused(packed("\"slots\":1"), "/captures/0: \"token_lengths\" is missing");
    check_refused(packed("\"token_lengths\":[1.0]"),
                  "/token_lengths/0: expected an integer from 1 to 2^53, found 1.0");
    check_refused(batched("\"capture\":\"maybe\""), "/capture: expected one of \"allow\", \"deny\"");
    check_refused(batched("\"capture\":false"), "/capture: expected a string, found false");
    check_refused(batched("\"replay_walks\":[]"), "/replay_walks: expected a list of walks");
    check_refused(batched("\"caps_eager_batch_size\":null"),
                  "/caps_eager_batch_size: expected true or false");
    check_refused(batched("\"batch_size\":1"),
                  "/batch_size: unknown key \"batch_size\". Did you mean \"batch_sizes\"?");
    check_refused(batched("\"tokens_per_request\":9007199254740992,\"tokens_multiplier\":2"),
                  "/captures/0: batch size 1 × tokens_per_request × tokens_multiplier is more than 2^53");
}

TEST_CASE("no bucket is asked for twice") {
    check_refused(R"([{"node":"a","walk":"w","kind":"batched","batch_sizes":[2,1,2]}])",
                  "/captures/0: bucket w bs=2 tokens=2 is asked for twice");
    const std::string capture = R"({"node":"a","walk":"w","kind":"batched","batch_sizes":[1,2])";
    check_refused("[" + capture + "}," + capture + R"(,"slots":2}])",
                  "/captures/1: bucket w bs=2 tokens=2 is asked for twice, first at /captures/0");
    check_refused(
        "[" + capture + R"(},{"node":"a","walk":"w","kind":"packed","batch_sizes":[2],"token_lengths":[2]}])",
        "bucket w bs=2 tokens=2 is asked for twice");
    check_refused(R"([{"node":"a","walk":"w","kind":"packed","batch_sizes":[1],"token_lengths":[5,5]}])",
                  "is asked for twice");
    CHECK_NOTHROW(read("[" + capture + "}," + capture + R"(,"key":"cfg"}])"));
    CHECK_NOTHROW(read("[" + capture + "}," + replaced(capture, "\"a\"", "\"b\"") + "}]"));
    CHECK_NOTHROW(read("[" + capture + "}," + replaced(capture, "[1,2]", "[3]") + "}]"));
}

TEST_CASE("a product of lists has a limit") {
    std::string sizes = "1";
    for (int i = 2; i <= 400; ++i) sizes += "," + std::to_string(i);
    check_refused(R"([{"node":"a","walk":"w","kind":"packed","batch_sizes":[)" + sizes +
                      R"(],"token_lengths":[)" + sizes + "]}]",
                  "/captures/0: more than 100000 buckets up to this capture");
}
