#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("check_buckets refuses what a model cannot be captured at") {
    const Model model = make_model({R"({"op": "tanh", "x": "x", "out": "y"})"});
    CaptureConfig batched;
    batched.node = "n";
    batched.walk = "w";
    batched.batch_sizes = {1, 2};
    batched.pointer = "/captures/0";
    CaptureConfig packed = batched;
    packed.kind = CaptureKind::packed;
    packed.token_lengths = {4, 8};
    const auto failure = [&](CaptureConfig config, const auto& change) {
        change(config);
        return message_of([&] { check_buckets({{config}, "buckets.json"}, model); });
    };
    const auto as_it_is = [](CaptureConfig&) {};
    CHECK(failure(batched, as_it_is).empty());
    CHECK(failure(packed, as_it_is).empty());
    CHECK(contains(message_of([&] {
                       check_buckets({{}, "buckets.json"}, model);
                   }),
                   "/captures: an empty list"));
    CHECK(contains(failure(batched, [](auto& c) { c.node = "m"; }), "buckets.json: /captures/0/node"));
    CHECK(contains(failure(batched, [](auto& c) { c.batch_sizes.clear(); }),
                   "/captures/0/batch_sizes: an empty"));
    CHECK(contains(failure(batched, [](auto& c) { c.batch_sizes = {0}; }), "0, expected 1 to"));
    CHECK(
        contains(failure(batched, [](auto& c) { c.batch_sizes = {std::int64_t{1} << 40}; }), "batch_sizes"));
    CHECK(contains(failure(batched, [](auto& c) { c.slots = 0; }), "/captures/0/slots: 0, expected 1 to"));
    CHECK(contains(failure(batched, [](auto& c) { c.tokens_per_request = std::int64_t{1} << 30; }),
                   "2 rows of 1073741824 x 1 tokens"));
    CHECK(contains(failure(batched,
                           [](auto& c) {
                               c.replay_walks = {"w", "v"};
                           }),
                   R"(/captures/0/replay_walks/1: node "n" has no walk "v")"));
    CHECK(contains(failure(batched,
                           [](auto& c) {
                               c.batch_sizes = {2, 2};
                           }),
                   "w bs=2 tokens=2 of node \"n\" is asked"));
    CHECK(
        contains(failure(packed, [](auto& c) { c.token_lengths.clear(); }), "token_lengths: an empty list"));
    CHECK(contains(failure(packed, [](auto& c) { c.batch_sizes = {5}; }), "4 tokens cannot fill 5 rows"));
}
