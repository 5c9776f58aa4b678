#include <algorithm>
#include <random>

#include "catch.hpp"
#include "graphplan/planner.hpp"

namespace graphplan {
namespace {

TrafficStep step(std::int64_t bs, std::int64_t each, double weight) {
    return {"llm", {"decode", std::nullopt, bs, bs * each}, weight};
}

double padded(const Traffic& traffic, const std::vector<std::int64_t>& sizes) {
    double sum = 0;
    for (const TrafficStep& arriving : traffic.steps) {
        const auto fits =
            std::find_if(sizes.begin(), sizes.end(), [&](auto s) { return s >= arriving.shape.bs; });
        if (fits == sizes.end()) return 1e300;
        sum += arriving.weight * static_cast<double>(*fits - arriving.shape.bs);
    }
    return sum;
}

}  // namespace

TEST_CASE("A ladder of N sizes pads as little as any other one of N sizes") {
    for (std::uint32_t seed = 0; seed < 1500; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        Traffic traffic;
        std::vector<std::int64_t> arriving;
        for (auto i = random() % 9 + 1; i > 0; --i) {
            traffic.steps.push_back(step(static_cast<std::int64_t>(random() % 40) + 1, 3,
                                         0.25 * static_cast<double>(random() % 8 + 1)));
            arriving.push_back(traffic.steps.back().shape.bs);
        }
        std::sort(arriving.begin(), arriving.end());
        arriving.erase(std::unique(arriving.begin(), arriving.end()), arriving.end());
        const std::int64_t count = static_cast<std::int64_t>(random() % 5) + 1;
        LadderOptions options;
        options.count = count;
        const auto ladders = propose_ladders(traffic, options);
        REQUIRE(ladders.size() == 1);
        const auto& sizes = ladders[0].capture.batch_sizes;
        REQUIRE(std::is_sorted(sizes.begin(), sizes.end()));
        REQUIRE(static_cast<std::int64_t>(sizes.size()) <= count);
        double least = 1e300;
        for (std::uint32_t subset = 1; subset < (1U << arriving.size()); ++subset) {
            if (__builtin_popcount(subset) > count) continue;
            std::vector<std::int64_t> tried;
            for (std::size_t i = 0; i < arriving.size(); ++i) {
                if (subset >> i & 1U) tried.push_back(arriving[i]);
            }
            least = std::min(least, padded(traffic, tried));
        }
        REQUIRE(padded(traffic, sizes) == Approx(least));
        REQUIRE(ladders[0].capture.tokens_per_request == 3);
        REQUIRE(ladders[0].arriving == arriving.size());
    }
}

TEST_CASE("Thousands of sizes are quick, and each walk has its ladder") {
    Traffic traffic;
    for (std::int64_t bs = 1; bs <= 4000; ++bs) traffic.steps.push_back(step(bs, 1, 1));
    traffic.steps.push_back({std::nullopt, {"other", "cfg", 5, 5}, 1});
    LadderOptions options;
    options.count = 40;
    options.node = "vision";
    const auto ladders = propose_ladders(traffic, options);
    REQUIRE(ladders.size() == 2);
    CHECK(ladders[0].capture.batch_sizes.size() == 40);
    CHECK(ladders[0].capture.batch_sizes.front() == 100);
    CHECK(ladders[1].capture.node == "vision");
    CHECK(ladders[1].capture.key == "cfg");
    CHECK(ladders[1].capture.batch_sizes == std::vector<std::int64_t>{5});
    CHECK(ladders[1].padding_waste == 0);
}

TEST_CASE("An engine's ladder says what it pads and what lies beyond it") {
    LadderOptions options;
    options.from = EngineName::seed;
    const auto ladders = propose_ladders({{step(3, 1, 1), step(65, 1, 2)}, "t"}, options);
    CHECK(ladders[0].padding_waste == 0.25);
    CHECK(ladders[0].beyond_ladder_weight == 2);
}

TEST_CASE("Walks in two dimensions and unknown walks are refused") {
    Traffic traffic{{step(2, 1, 1), step(2, 2, 1)}, "t.json"};
    LadderOptions options;
    options.count = 2;
    CHECK_THROWS_WITH(propose_ladders(traffic, options),
                      ContainsSubstring("t.json: /steps/1") && ContainsSubstring("one dimension"));
    options.walks = {"decod"};
    CHECK_THROWS_WITH(propose_ladders(traffic, options),
                      ContainsSubstring("no walk \"decod\"") && ContainsSubstring("decode"));
    options.count = 0;
    CHECK_THROWS_WITH(propose_ladders(traffic, options), ContainsSubstring("at least one"));
}

}  // namespace graphplan
