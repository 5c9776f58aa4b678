#include "timing/bucket_timer.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/range.hpp"
#include "engine/throwaway_pool.hpp"

namespace graphplan {
namespace {

// Enough for kernels that tune themselves at first, and no more than short ones need.
constexpr std::int64_t kLeastWarmUps = 5, kMostWarmUps = 200, kUnknownWarmUps = 25;
constexpr int kEstimateRuns = 5;
constexpr std::int64_t kMostRuns = 1000;

void check(const TimingOptions& options) {
    if (options.warmup_us >= 0 && options.budget_us > 0 && options.replays >= 1) return;
    throw Error(ErrorCode::invalid_argument,
                fmt::format("timing with a warm-up of {} us, a budget of {} us and {} replays: at least 0, "
                            "more than 0 and at least 1 are needed",
                            options.warmup_us, options.budget_us, options.replays));
}

std::int64_t runs(double budget_us, double run_us, std::int64_t unknown) {
    if (run_us <= 0) return unknown;
    constexpr double most = 1e9;
    return static_cast<std::int64_t>(std::min(most, budget_us / run_us));
}

}  // namespace

BucketTimer::BucketTimer(Engine& engine, const BucketSpec& bucket, const TimingOptions& options)
    : engine_(engine), device_(engine.device()), bucket_(bucket), options_(options) {
    check(options);
    timing_.pool = bucket.pool;
    timing_.id = bucket.id;
    timing_.is_region = bucket.is_region;
}

BucketTimer::~BucketTimer() {
    if (flushed_.bytes != 0) engine_.allocator().free(flushed_);
}

BucketTiming BucketTimer::run() {
    try {
        const engine::Range range(device_, fmt::format("{}: {}", bucket_.pool, to_string(bucket_.id)));
        time_eager();
        timing_.failure = refusal();
        if (!timing_.failure) time_graph();
        timing_.clocks = device_.clocks();
    } catch (const Error& error) {
        note(error);
    }
    return timing_;
}

void BucketTimer::time_eager() {
    phase_ = TimingPhase::prepare;
    stream_ = Stream(device_, device_.create_stream());
    if (options_.flush_l2) {
        // Twice the cache: what it replaces need not be what was used longest ago.
        flushed_ =
            engine_.allocator().allocate(std::max<Bytes>(kSegment, 2 * device_.capabilities().l2_bytes));
    }
    slot_ = engine_.prepare(bucket_, 0);
    phase_ = TimingPhase::warm_up;
    warm_up(*slot_);
    phase_ = TimingPhase::eager;
    forward(*slot_);
    std::vector<double> samples;
    samples.reserve(kEstimateRuns);
    for (int i = 0; i < kEstimateRuns; ++i) samples.push_back(forward(*slot_));
    estimate_us_ = std::accumulate(samples.begin(), samples.end(), 0.0) / kEstimateRuns;
    const std::int64_t wanted = runs_within(options_.budget_us, kEstimateRuns, kMostRuns);
    while (static_cast<std::int64_t>(samples.size()) < wanted) samples.push_back(forward(*slot_));
    timing_.eager = summarize(std::move(samples));
}

void BucketTimer::warm_up(PreparedSlot& slot) {
    forward(slot);  // it may tune, compile and load: its time says nothing
    const double run_us = forward(slot);
    const std::int64_t wanted =
        std::clamp(runs(options_.warmup_us, run_us, kUnknownWarmUps), kLeastWarmUps, kMostWarmUps);
    for (std::int64_t i = 0; i < wanted; ++i) forward(slot);
}

double BucketTimer::forward(PreparedSlot& slot) {
    if (between()) {
        enqueue_between();
        device_.synchronize(stream_.id());  // the engine runs on a stream of its own
    }
    return slot.forward().device_us;
}

void BucketTimer::enqueue_between() {
    if (options_.reset) options_.reset(stream_.id());
    if (options_.flush_l2) device_.fill(flushed_.address, 0, flushed_.bytes, stream_.id());
}

std::int64_t BucketTimer::runs_within(double budget_us, std::int64_t least,
                                      std::int64_t most) const noexcept {
    return std::clamp(runs(budget_us, estimate_us_, most), least, most);
}

std::optional<TimingFailure> BucketTimer::refusal() const {
    if (!device_.capabilities().captures_graphs) {
        return TimingFailure{
            {}, "device", "captures_no_graphs", device_.capabilities().name + " captures no graphs"};
    }
    if (bucket_.denied) {
        return TimingFailure{
            {}, "denied", "capture_denied", "the buckets document says \"capture\": \"deny\""};
    }
    if (bucket_.blockers.empty()) return std::nullopt;
    return TimingFailure{{},
                         "resource",
                         "cannot_capture",
                         fmt::format("resources that cannot capture: {}", fmt::join(bucket_.blockers, ", "))};
}

void BucketTimer::time_graph() {
    const std::int64_t calls =
        between() ? 1 : std::max<std::int64_t>(1, runs(options_.budget_us, estimate_us_, kMostRuns));
    phase_ = TimingPhase::capture;
    const engine::ThrowawayPool pool(engine_);
    const CapturedGraph captured = slot_->capture(pool.id(), calls);
    phase_ = TimingPhase::instantiate;
    const Executable executable(device_, device_.instantiate(captured.graph.id()));
    phase_ = TimingPhase::replay;
    std::vector<double> samples = replay(executable);
    for (double& sample : samples) sample /= static_cast<double>(calls);
    timing_.replay = summarize(std::move(samples));
    timing_.calls = calls;
}

std::vector<double> BucketTimer::replay(const Executable& executable) {
    const Event before(device_, device_.create_event()), after(device_, device_.create_event());
    device_.launch(executable.id(), stream_.id());  // the first launch also brings the executable over
    device_.synchronize(stream_.id());
    const std::int64_t wanted =
        between() ? runs_within(options_.budget_us, options_.replays, kMostRuns) : options_.replays;
    std::vector<double> samples;
    for (std::int64_t i = 0; i < wanted; ++i) {
        enqueue_between();
        device_.record(before.id(), stream_.id());
        device_.launch(executable.id(), stream_.id());
        device_.record(after.id(), stream_.id());
        device_.synchronize(stream_.id());
        samples.push_back(device_.elapsed_us(before.id(), after.id()));
    }
    return samples;
}

void BucketTimer::note(const Error& error) {
    FailureClass kind = classify(error, phase_);
    if (kind == FailureClass::recoverable && device_.poisoned()) kind = FailureClass::poisoned;
    timing_.failure = TimingFailure{kind, std::string(to_string(phase_)), reason_of(error), error.what()};
    timing_.replay.reset();
    if (kind == FailureClass::fatal) timing_.eager.reset();
}

BucketTiming time_bucket(Engine& engine, const BucketSpec& bucket, const TimingOptions& options) {
    return BucketTimer(engine, bucket, options).run();
}

}  // namespace graphplan
