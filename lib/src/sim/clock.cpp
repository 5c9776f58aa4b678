#include "sim/clock.hpp"

#include <algorithm>

namespace graphplan::sim {

void Clock::issue(std::uint64_t stream, std::int64_t launches, double launch_us, double work_us) {
    double& ready = streams_.at(stream);
    double part = launches > 0 ? work_us / static_cast<double>(launches) : 0;
    for (std::int64_t i = 0; i < launches; ++i) {
        host_us_ += launch_us;
        ready = std::max(ready, host_us_) + part;
    }
}

void Clock::synchronize(std::uint64_t stream) { host_us_ = now(stream); }

double Clock::now(std::uint64_t stream) const { return std::max(streams_.at(stream), host_us_); }

void Clock::wait(std::uint64_t stream, double until) {
    double& ready = streams_.at(stream);
    ready = std::max(ready, until);
}

}  // namespace graphplan::sim
