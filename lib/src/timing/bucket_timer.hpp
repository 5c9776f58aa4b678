// Times one bucket: warm-up, eager samples, a throwaway capture, replays.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "graphplan/timing.hpp"

namespace graphplan {

class BucketTimer {
  public:
    /// All of them outlive it.
    BucketTimer(Engine& engine, const BucketSpec& bucket, const TimingOptions& options);
    ~BucketTimer();
    BucketTimer(const BucketTimer&) = delete;
    BucketTimer& operator=(const BucketTimer&) = delete;

    BucketTiming run();

  private:
    void time_eager();
    void warm_up(PreparedSlot& slot);
    double forward(PreparedSlot& slot);

    void time_graph();
    std::vector<double> replay(const Executable& executable);

    /// Why no capture is attempted.
    std::optional<TimingFailure> refusal() const;
    void note(const Error& error);

    bool between() const noexcept { return options_.flush_l2 || options_.reset; }
    /// What comes before a forward, untimed.
    void enqueue_between();
    std::int64_t runs_within(double budget_us, std::int64_t least, std::int64_t most) const noexcept;

    Engine& engine_;
    Device& device_;
    const BucketSpec& bucket_;
    const TimingOptions& options_;
    Stream stream_;
    Allocation flushed_;
    std::unique_ptr<PreparedSlot> slot_;
    double estimate_us_ = 0;
    TimingPhase phase_ = TimingPhase::prepare;
    BucketTiming timing_;
};

}  // namespace graphplan
