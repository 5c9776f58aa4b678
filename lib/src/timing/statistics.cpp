#include <algorithm>
#include <cmath>
#include <numeric>

#include "graphplan/timing.hpp"

namespace graphplan {
namespace {

constexpr double kConfidence = 0.95;
constexpr double kWideShare = 0.1;

// To a picosecond, far below what events resolve: what is equal prints alike.
double rounded(double us) {
    constexpr double picoseconds = 1e6;
    return std::round(us * picoseconds) / picoseconds;
}

double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// The chance that exactly k of n samples lie below the median.
double chance(std::size_t k, std::size_t n) {
    const auto log_factorial = [](std::size_t x) { return std::lgamma(static_cast<double>(x) + 1); };
    return std::exp(log_factorial(n) - log_factorial(k) - log_factorial(n - k) -
                    static_cast<double>(n) * std::log(2.0));
}

// The narrowest interval between the k-th smallest and the k-th largest sample that holds the median
// often enough, whatever the samples' distribution.
std::optional<std::pair<double, double>> median_interval(const std::vector<double>& sorted) {
    const std::size_t n = sorted.size();
    std::size_t k = 0;
    double outside = 0;
    for (; 2 * k + 1 < n; ++k) {
        outside += 2 * chance(k, n);
        if (outside > 1 - kConfidence) break;
    }
    if (k == 0) return std::nullopt;
    return std::pair{sorted[k - 1], sorted[n - k]};
}

}  // namespace

bool Timing::wide() const noexcept {
    return summary.p10 && summary.p90 && *summary.p90 - *summary.p10 > kWideShare * summary.median;
}

Timing summarize(std::vector<double> samples_us) {
    if (samples_us.empty()) {
        throw Error(ErrorCode::invalid_argument, "no samples to summarise: time at least one run");
    }
    for (double& sample : samples_us) sample = rounded(sample);
    std::sort(samples_us.begin(), samples_us.end());
    Timing timing;
    TimeSummary& summary = timing.summary;
    summary.n = static_cast<std::int64_t>(samples_us.size());
    summary.median = rounded(quantile(samples_us, 0.5));
    summary.mean = rounded(std::accumulate(samples_us.begin(), samples_us.end(), 0.0) /
                           static_cast<double>(samples_us.size()));
    summary.min = samples_us.front();
    summary.max = samples_us.back();
    summary.p10 = rounded(quantile(samples_us, 0.1));
    summary.p90 = rounded(quantile(samples_us, 0.9));
    timing.median_interval = median_interval(samples_us);
    return timing;
}

std::optional<double> BucketTiming::ratio() const noexcept {
    if (!eager || !replay || replay->summary.median <= 0) return std::nullopt;
    return eager->summary.median / replay->summary.median;
}

}  // namespace graphplan
