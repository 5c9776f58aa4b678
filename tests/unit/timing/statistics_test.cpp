#include <cmath>
#include <numeric>
#include <random>

#include "catch.hpp"
#include "graphplan/timing.hpp"

using namespace graphplan;

namespace {

std::vector<double> one_to(int n) {
    std::vector<double> samples(static_cast<std::size_t>(n));
    std::iota(samples.rbegin(), samples.rend(), 1.0);
    return samples;
}

}  // namespace

TEST_CASE("samples are summarised whatever their order") {
    const Timing timing = summarize(one_to(11));
    CHECK(timing.summary.n == 11);
    CHECK(timing.summary.median == 6);
    CHECK(timing.summary.mean == 6.0);
    CHECK(timing.summary.min == 1.0);
    CHECK(timing.summary.max == 11.0);
    CHECK(timing.summary.p10 == 2.0);
    CHECK(timing.summary.p90 == 10.0);
    CHECK(summarize({4, 1}).summary.median == 2.5);
    CHECK_THROWS_AS(summarize({}), Error);
}

// Ranks of the binomial tables: for 10 samples the 2nd and 9th (97.9 %), for 100 the 40th and 61st (96.5 %).
TEST_CASE("the median's interval holds it with 95 % confidence, by order statistics") {
    CHECK_FALSE(summarize(one_to(5)).median_interval);
    CHECK(summarize(one_to(6)).median_interval == std::pair{1.0, 6.0});
    CHECK(summarize(one_to(10)).median_interval == std::pair{2.0, 9.0});
    CHECK(summarize(one_to(100)).median_interval == std::pair{40.0, 61.0});
    CHECK(summarize(one_to(1000)).median_interval->first > 460);
}

TEST_CASE("the interval covers the true median as often as it says, also of a skewed distribution") {
    std::mt19937_64 random(1);
    std::exponential_distribution<double> skewed(1.0);
    const double truth = std::log(2.0);
    int covered = 0;
    constexpr int trials = 2000;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<double> samples(10);
        for (double& sample : samples) sample = skewed(random);
        const auto [low, high] = *summarize(samples).median_interval;
        covered += low <= truth && truth <= high ? 1 : 0;
    }
    CHECK(covered > 0.96 * trials);
    CHECK(covered < 0.995 * trials);
}

TEST_CASE("a spread is wide where p10 and p90 lie more than a tenth of the median apart") {
    CHECK_FALSE(summarize({100, 101, 102, 103, 104, 105}).wide());
    CHECK(summarize({100, 100, 100, 120, 120, 120}).wide());
    CHECK_FALSE(summarize(std::vector<double>(10, 7.0)).wide());
}

TEST_CASE("the ratio needs both times") {
    BucketTiming timing;
    CHECK_FALSE(timing.ratio());
    timing.eager = summarize({30});
    CHECK_FALSE(timing.ratio());
    timing.replay = summarize({10});
    CHECK(timing.ratio() == 3.0);
    timing.replay = summarize({0});
    CHECK_FALSE(timing.ratio());
}

TEST_CASE("times are rounded to a picosecond") {
    const Timing timing = summarize({0.1 + 0.2, 0.3, 1.0 / 3.0});
    CHECK(timing.summary.min == 0.3);
    CHECK(timing.summary.median == 0.3);
    CHECK(timing.summary.max == 0.333333);
}
