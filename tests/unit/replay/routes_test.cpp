#include "replay/routes.hpp"

#include "replay_fixture.hpp"

using namespace graphplan;
using replay::CapturedBucket;

namespace {

/// Buckets of a document, as if they were captured, but for those that `without` names.
struct Table {
    explicit Table(Buckets asked, const std::vector<std::int64_t>& without = {})
        : document(std::move(asked)) {
        specs.reserve(64);
        for (std::size_t i = 0; i < document.captures.size(); ++i) {
            const CaptureConfig& config = document.captures[i];
            for (const BucketShape& shape : shapes_of(config)) {
                if (std::find(without.begin(), without.end(), shape.bs) != without.end()) continue;
                BucketSpec& spec = specs.emplace_back();
                spec.capture = i;
                spec.pool = config.node;
                spec.id = {config.walk, config.key, shape.bs, shape.tokens};
                captured.push_back(CapturedBucket{&spec, &config, {}});
            }
        }
    }
    std::string found(const StepShape& shape) const {
        const auto index = replay::Routes(captured, document).find(shape);
        return index ? to_string(captured[*index].spec->id) : "eager";
    }
    std::string found_batched(const StepShape& shape) const {
        const auto index = replay::Routes(captured, document).find_batched(shape);
        return index ? to_string(captured[*index].spec->id) : "eager";
    }
    Buckets document;
    std::vector<BucketSpec> specs;
    std::vector<CapturedBucket> captured;
};

}  // namespace

TEST_CASE("of several configs of one walk the tightest bucket by (tokens, bs) serves a step") {
    const Table table(read_buckets(
        R"({"node": "llm", "walk": "prefill", "kind": "packed", "batch_sizes": [8], "token_lengths": [64]},
           {"node": "llm", "walk": "prefill", "kind": "packed", "batch_sizes": [2], "token_lengths": [64, 128]},
           {"node": "llm", "walk": "prefill", "kind": "batched", "batch_sizes": [1], "tokens_per_request": 32})"));
    CHECK(table.found(step("prefill", 1, 20)) == "prefill bs=1 tokens=32");
    CHECK(table.found(step("prefill", 1, 33)) == "prefill bs=2 tokens=64");
    CHECK(table.found(step("prefill", 3, 33)) == "prefill bs=8 tokens=64");
    CHECK(table.found(step("prefill", 3, 65)) == "eager");
    CHECK(table.found_batched(step("prefill", 1, 500)) == "prefill bs=1 tokens=32");
    CHECK(table.found_batched(step("prefill", 2, 1)) == "eager");
    CHECK(table.found(step("prefill", 0, 1)) == "eager");
}

TEST_CASE("a step's tokens are counted after the multiplier, and each row has one") {
    const Table table(read_buckets(
        R"({"node": "llm", "walk": "v", "kind": "packed", "batch_sizes": [4], "token_lengths": [8],
            "tokens_multiplier": 2})"));
    CHECK(table.found(step("v", 4, 2)) == "v bs=4 tokens=8");
    CHECK(table.found(step("v", 4, 1)) == "eager");
    CHECK(table.found(step("v", 3, 2)) == "v bs=4 tokens=8");
    CHECK(table.found(step("v", 3, 1)) == "eager");
    CHECK(table.found(step("v", 1, 0)) == "eager");
    CHECK(table.found(step("v", 4, 5)) == "eager");
}

TEST_CASE("before inputs exist the smallest batch wins, then the fewest tokens") {
    const Table table(read_buckets(
        R"({"node": "llm", "walk": "v", "kind": "batched", "batch_sizes": [2, 4], "tokens_per_request": 100},
           {"node": "llm", "walk": "v", "kind": "batched", "batch_sizes": [3, 4], "tokens_per_request": 2})"));
    CHECK(table.found_batched(step("v", 2, 0)) == "v bs=2 tokens=200");
    CHECK(table.found_batched(step("v", 3, 0)) == "v bs=3 tokens=6");
    CHECK(table.found_batched(step("v", 4, 0)) == "v bs=4 tokens=8");
    CHECK(table.found(step("v", 2, 4)) == "v bs=3 tokens=6");
}

TEST_CASE("keys and pools set walks of one name apart") {
    const Table table(read_buckets(
        R"({"node": "llm", "walk": "w", "kind": "batched", "batch_sizes": [1], "key": "cfg"},
           {"node": "tts", "walk": "w", "kind": "batched", "batch_sizes": [2]})"));
    CHECK(table.found(step("w", 1, 1, "cfg")) == "w[cfg] bs=1 tokens=1");
    CHECK(table.found(step("w", 1, 1)) == "eager");
    CHECK(table.found({"tts", "w", std::nullopt, 1, 1}) == "w bs=2 tokens=2");
}

TEST_CASE("aliases share captures, and the captured walk is always served") {
    const Table table(read_buckets(R"({"node": "llm", "walk": "w", "kind": "batched", "batch_sizes": [2],
                                       "replay_walks": ["a", "b"]})"));
    for (const char* walk : {"a", "b", "w"}) CHECK(table.found(step(walk, 2, 2)) == "w bs=2 tokens=2");
    CHECK(replays(table.document.captures[0], "a"));
    CHECK_FALSE(replays(table.document.captures[0], "c"));
}

TEST_CASE("a walk whose bucket is missing takes the next larger one, a region does not") {
    const std::string rest =
        R"(: "v", "kind": "packed", "batch_sizes": [1, 2, 4], "token_lengths": [8, 16]})";
    const Table walk(read_buckets(R"({"node": "llm", "walk")" + rest), {2});
    CHECK(walk.found(step("v", 2, 9)) == "v bs=4 tokens=16");
    const Table region(read_buckets(R"({"node": "llm", "region")" + rest), {2});
    CHECK(region.found(step("v", 2, 9)) == "eager");
    CHECK(region.found(step("v", 1, 9)) == "v bs=1 tokens=16");
    CHECK(region.found(step("v", 3, 3)) == "v bs=4 tokens=8");
    CHECK(region.found(step("v", 5, 1)) == "eager");
}
