// Times buckets: the eager step, and the replay of its graph, by device events.
//
// A capture that fails is an answer, not an error: what it means is decided by the device's error code and
// by the phase, and the bucket's eager time stands alone, or no number does.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graphplan/base.hpp"
#include "graphplan/costs.hpp"
#include "graphplan/engine.hpp"

namespace graphplan {

/// What was being done when something failed.
enum class TimingPhase { prepare, warm_up, eager, capture, instantiate, replay };
std::string_view to_string(TimingPhase phase) noexcept;

/// What a failure means.
enum class FailureClass {
    recoverable,  ///< no graph, and no harm: the eager time stands alone
    fatal,        ///< the step itself failed: there is no number at all
    poisoned,     ///< the attempt broke the context: only a new process can measure more
};
std::string_view to_string(FailureClass kind) noexcept;

/// By the error's device code (cudaError) and the phase, from one table; never by its text. A step that
/// fails eagerly is fatal. A code that the table doesn't hold is recoverable until the graph is replayed.
FailureClass classify(const Error& error, TimingPhase phase) noexcept;

/// One word for an error: "cudaErrorIllegalAddress" where the table knows its code, else the Error's own.
std::string reason_of(const Error& error);

/// Samples in microseconds, summarised.
struct Timing {
    TimeSummary summary;
    /// Where the median lies with 95 % confidence, by order statistics; absent below six samples.
    std::optional<std::pair<double, double>> median_interval;
    /// p10 and p90 lie more than a tenth of the median apart: something else ran, or clocks moved.
    bool wide() const noexcept;
    bool operator==(const Timing&) const = default;
};

/// Quantiles lie between the two nearest samples, as a straight line goes.
/// @throws Error invalid_argument without a sample
Timing summarize(std::vector<double> samples_us);

/// Why a bucket has no replay time.
struct TimingFailure {
    std::optional<FailureClass> kind;  ///< absent where no capture was attempted
    std::string phase;                 ///< of TimingPhase; "denied", "resource" or "device" if not attempted
    std::string reason;                ///< one word
    std::string message;               ///< the first error, in words
    bool operator==(const TimingFailure&) const = default;
};

struct BucketTiming {
    std::string pool;
    BucketKey id;
    bool is_region = false;
    std::optional<Timing> eager, replay;
    std::int64_t calls = 0;  ///< forwards in the graph that was replayed
    std::optional<TimingFailure> failure;
    ClockState clocks;  ///< when it was done; empty where the device doesn't tell

    /// How many times as long as a replay the eager step takes, by their medians.
    std::optional<double> ratio() const noexcept;
};

struct TimingOptions {
    double warmup_us = 25'000;   ///< how long each bucket is warmed up, within 5 to 200 forwards
    double budget_us = 100'000;  ///< how long the forwards of one graph, and the eager samples, take
    int replays = 10;            ///< of the graph, at least 1
    /// Before each forward everything is driven out of the L2, untimed. A graph then holds one forward.
    bool flush_l2 = false;
    /// Enqueues on `stream` what must be done before each forward, untimed, such as what an in-place
    /// operator needs. A graph then holds one forward.
    std::function<void(std::uint64_t stream)> reset;
};

/// Times slot 0 of a bucket of a claimed engine: warm-up, eager samples, then a throwaway capture that is
/// replayed and handed back whole. Denied buckets, those that touch resources which cannot capture, and
/// devices that capture nothing are timed directly. Captures and replays leave the engine's random states
/// as they were; eager forwards draw from them as always.
///
/// Failures of the bucket are in its result. Afterwards the device may be `poisoned()`: then nothing more can
/// be measured in this process. @throws Error invalid_argument for options that make no sense
BucketTiming time_bucket(Engine& engine, const BucketSpec& bucket, const TimingOptions& options);

}  // namespace graphplan
