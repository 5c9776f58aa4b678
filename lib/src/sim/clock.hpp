// Virtual time: the host's, each stream's, and when events happened.
#pragma once

#include <cstdint>
#include <map>

namespace graphplan::sim {

/// The host issues work without waiting; a stream does its work in order, not before it was issued.
class Clock {
  public:
    void add_stream(std::uint64_t stream) { streams_[stream] = 0; }
    void remove_stream(std::uint64_t stream) noexcept { streams_.erase(stream); }

    bool has(std::uint64_t stream) const { return streams_.contains(stream); }

    /// Work of `work_us` in `launches` equal parts, each of which costs the host `launch_us`.
    void issue(std::uint64_t stream, std::int64_t launches, double launch_us, double work_us);
    /// The host waits until the stream has nothing left to do.
    void synchronize(std::uint64_t stream);
    /// The host's time: what lies before it has happened.
    double host() const noexcept { return host_us_; }
    /// When what is issued so far on the stream will have happened.
    double now(std::uint64_t stream) const;
    /// The stream waits until then.
    void wait(std::uint64_t stream, double until);

  private:
    double host_us_ = 0;
    std::map<std::uint64_t, double> streams_;  ///< when each has done all of its work
};

}  // namespace graphplan::sim
