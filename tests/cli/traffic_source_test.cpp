#include "traffic_source.hpp"

#include <map>

#include "catch.hpp"
#include "graphplan/base.hpp"

using namespace graphplan;
using namespace graphplan::cli;

namespace {

CaptureConfig config(std::string node, std::string walk, std::vector<std::string> aliases = {}) {
    CaptureConfig config;
    config.node = std::move(node);
    config.walk = std::move(walk);
    config.batch_sizes = {2, 8};
    config.tokens_per_request = 3;
    config.replay_walks = std::move(aliases);
    return config;
}

Traffic traffic(std::vector<TrafficStep> steps) { return {std::move(steps), "traffic.json"}; }

TrafficStep arriving(std::string walk, double weight, std::optional<std::string> pool = {}) {
    return {std::move(pool), {std::move(walk), std::nullopt, 5, 15}, weight};
}

std::string error_of(const Traffic& steps, const Buckets& buckets) {
    try {
        TrafficSource(steps, buckets, 0);
    } catch (const Error& error) {
        CHECK(to_string(error.code()) == "invalid_document");
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("steps that no engine could run are refused where they stand") {
    Buckets buckets{{config("llm", "a")}, ""};
    const auto told = [&](std::int64_t bs, std::int64_t tokens) {
        TrafficStep step = arriving("a", 1);
        step.shape.bs = bs, step.shape.tokens = tokens;
        return error_of(traffic({arriving("a", 1), step}), buckets);
    };
    const std::int64_t huge = std::int64_t{1} << 53;
    CHECK(told(2, 2).empty());
    CHECK(told(2, 1) ==
          "traffic.json: /steps/1: a bs=2 tokens=1: expected at most 1000000 rows of at least a token "
          "each, and at most 2147483647 tokens in all");
    CHECK_FALSE(told(1, huge).empty());
    CHECK_FALSE(told(huge, huge).empty());
    buckets.captures[0].tokens_multiplier = 2048;
    CHECK(told(2, 1).empty());
    CHECK(told(1, huge).find("2048 times as many as the step's") != std::string::npos);
}

TEST_CASE("steps arrive as often as their weights say, those of weight 0 never") {
    const Buckets buckets{{config("llm", "a"), config("llm", "b", {"alias"})}, ""};
    TrafficSource source(traffic({arriving("a", 3), arriving("b", 0), arriving("alias", 1)}), buckets, 1);
    std::map<std::string, int> seen;
    for (int i = 0; i < 4000; ++i) ++seen[source.next().shape.walk];
    CHECK(seen["a"] > 2850);
    CHECK(seen["a"] < 3150);
    CHECK(seen["b"] == 0);
    CHECK(seen["a"] + seen["alias"] == 4000);
}

TEST_CASE("a step without a pool is served where one pool has its walk") {
    const Buckets buckets{{config("llm", "a"), config("tts", "a"), config("tts", "b")}, ""};
    CHECK(TrafficSource(traffic({arriving("b", 1)}), buckets, 0).next().pool == "tts");
    CHECK(TrafficSource(traffic({arriving("a", 1, "llm")}), buckets, 0).next().pool == "llm");
    const std::string both = error_of(traffic({arriving("b", 1), arriving("a", 1)}), buckets);
    CHECK(both.find("traffic.json: /steps/1") != std::string::npos);
    CHECK(both.find("pools llm, tts") != std::string::npos);
    CHECK(error_of(traffic({arriving("c", 1)}), buckets).find("no pool") != std::string::npos);
    CHECK(error_of(traffic({arriving("b", 1, "llm")}), buckets).find("no pool") != std::string::npos);
}

TEST_CASE("without traffic any shape arrives that the buckets are for, the same for the same seed") {
    Buckets buckets{{config("llm", "a"), config("llm", "p")}, ""};
    buckets.captures[1].kind = CaptureKind::packed;
    buckets.captures[1].token_lengths = {64, 32};
    TrafficSource source(buckets, 7), again(buckets, 7), other(buckets, 8);
    std::map<std::int64_t, int> batches;
    bool differs = false;
    for (int i = 0; i < 1000; ++i) {
        const ArrivingStep step = source.next();
        ++batches[step.shape.bs];
        CHECK(step == again.next());
        differs = differs || step != other.next();
        if (step.shape.walk == "a") CHECK(step.shape.tokens == 3 * step.shape.bs);
        if (step.shape.walk == "p") CHECK((step.shape.tokens >= step.shape.bs && step.shape.tokens <= 64));
    }
    CHECK(differs);
    CHECK(batches.size() == 8);
    CHECK(batches.begin()->first == 1);
}
