#include "timing_run.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "child_process.hpp"
#include "progress.hpp"
#include "timing_words.hpp"
#include "words.hpp"

namespace graphplan::cli {
namespace {

constexpr int kNo = 1, kBug = 70, kInterrupted = 130, kSignalled = 128;

std::vector<const BucketSpec*> selected(const TimingRun& run, const Engine& engine) {
    std::vector<const BucketSpec*> chosen;
    for (const BucketSpec& bucket : engine.buckets()) {
        if (!run.select || run.select(bucket)) chosen.push_back(&bucket);
    }
    if (!chosen.empty()) return chosen;
    throw Error(ErrorCode::invalid_argument,
                "no bucket is left by --walk and --bucket: name walks and sizes of the buckets document");
}

Provenance provenance_of(const Device& device) {
    const Capabilities& capabilities = device.capabilities();
    Provenance provenance;
    provenance.backend = capabilities.backend;
    provenance.device = capabilities.name;
    provenance.device_total_bytes = capabilities.total_bytes;
    provenance.driver = capabilities.driver;
    provenance.libraries = capabilities.libraries;
    return provenance;
}

/// Says how far the work is, and once it is clear that it takes a while, how long it still does.
class TimedProgress {
  public:
    TimedProgress(const Streams& streams, bool shown)
        : progress_(streams.err, streams.environment.err_is_terminal, shown) {}

    void report(std::size_t first, std::size_t done, std::size_t total, const BucketSpec& next) {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
        const double left = done == first ? 0
                                          : elapsed.count() / static_cast<double>(done - first) *
                                                static_cast<double>(total - done);
        progress_.report(done, total, fmt::format("{}{}", label_of(next.pool, next.id), left_words(left)));
    }
    void clear() { progress_.clear(); }

  private:
    Progress progress_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The buckets of the whole selection, in the order in which they are timed.
std::vector<BucketSpec> asked_for(const TimingRun& run) {
    const std::unique_ptr<Device> device = stand_in_device();
    const std::unique_ptr<Engine> engine = make_interpreter(*device, run.model, run.buckets, {});
    std::vector<BucketSpec> buckets;
    for (const BucketSpec* bucket : selected(run, *engine)) buckets.push_back(*bucket);
    return buckets;
}

/// A bucket whose process ended before it could say anything of it.
BucketTiming lost_bucket(const BucketSpec& bucket, const ChildResult& result) {
    const bool signalled = result.exit_code > kSignalled;
    BucketTiming timing;
    timing.pool = bucket.pool;
    timing.id = bucket.id;
    timing.is_region = bucket.is_region;
    timing.failure = {FailureClass::poisoned, "process",
                      fmt::format("{}_{}", signalled ? "signal" : "exit",
                                  signalled ? result.exit_code - kSignalled : result.exit_code),
                      "the process that timed it ended with " + end_words(result)};
    return timing;
}

/// Times what is left of a selection in other processes, one after another.
class Children {
  public:
    Children(const TimingRun& run, const Streams& streams, const Output& output)
        : run_(run), streams_(streams), output_(output), asked_(asked_for(run)) {}

    void time_rest(Timings& timings) {
        while (timings.buckets.size() < asked_.size() && !timings.interrupted) {
            const ChildResult result = run_child(arguments(timings.buckets.size()), streams_.stop());
            if (result.exit_code == kBug ||
                (result.exit_code > kSignalled && result.exit_code != kInterrupted)) {
                lose(timings, result);
            } else if (result.exit_code > kNo && result.exit_code != kInterrupted) {
                return stop(timings, result);
            } else {
                take(timings, result);
            }
        }
    }
    std::size_t left(const Timings& timings) const { return asked_.size() - timings.buckets.size(); }

  private:
    std::vector<std::string> arguments(std::size_t first) const {
        std::vector<std::string> arguments = run_.child;
        arguments.insert(arguments.end(), {"--from", std::to_string(first)});
        if (at_once_) arguments.insert(arguments.end(), {"--count", std::to_string(*at_once_)});
        if (output_.quiet()) arguments.emplace_back("-q");
        return arguments;
    }

    // One that was interrupted before it measured anything leaves an error document.
    void take(Timings& timings, const ChildResult& result) {
        if (at_once_) at_once_ = 2 * *at_once_;
        timings.interrupted = result.exit_code == kInterrupted;
        if (timings.interrupted && result.out.find("graphplan.timings") == std::string::npos) return;
        Timings measured = parse_timings(result.out);
        if (measured.buckets.empty() && !timings.interrupted)
            throw Error(ErrorCode::internal, "a process of this program timed nothing and said no reason");
        std::move(measured.buckets.begin(), measured.buckets.end(), std::back_inserter(timings.buckets));
        if (timings.provenance.backend.empty()) timings.provenance = std::move(measured.provenance);
    }

    // Which of several buckets ended the process is not known, and what it had timed is gone: fewer at once,
    // down to one, show it at a small price.
    void lose(Timings& timings, const ChildResult& result) {
        if (at_once_ != 1) {
            at_once_ = 1;
            return;
        }
        timings.buckets.push_back(lost_bucket(asked_[timings.buckets.size()], result));
        timings.lost += 1;
        tell(timings.buckets.back(), streams_, output_);
        at_once_ = std::nullopt;
    }

    // An error that a process reports itself, and has told, holds for every bucket: no device, no memory.
    void stop(const Timings& timings, const ChildResult& result) const {
        if (timings.buckets.empty()) {
            throw Error(ErrorCode::device,
                        fmt::format("no process could time a bucket: {}", end_words(result)));
        }
        output_.warn(fmt::format("{} not timed, since no process could: {}", counted(left(timings), "bucket"),
                                 end_words(result)));
    }

    const TimingRun& run_;
    const Streams& streams_;
    const Output& output_;
    std::vector<BucketSpec> asked_;
    std::optional<std::size_t> at_once_;  ///< buckets for a process; all of them at first
};

}  // namespace

Timings time_here(const TimingRun& run, const TimingPart& part, const Streams& streams,
                  const Output& output) {
    const std::unique_ptr<Device> device = run.device.open();
    EngineOptions engine_options;
    engine_options.seed = run.device.seed();
    engine_options.weight_seed = run.device.seed();  // zeros would let the chip run cooler than it does
    const std::unique_ptr<Engine> engine = make_interpreter(*device, run.model, run.buckets, engine_options);
    const std::vector<const BucketSpec*> chosen = selected(run, *engine);
    Timings timings;
    timings.provenance = provenance_of(*device);
    timings.options = run.options;
    const std::size_t first = std::min(part.first, chosen.size());
    const std::size_t end = part.count ? std::min(chosen.size(), first + *part.count) : chosen.size();
    if (first < end) engine->claim();
    TimedProgress progress(streams, !output.quiet());
    if (!device->capabilities().captures_graphs && first == 0)
        output.warn(no_captures(device->capabilities()));
    std::size_t next = first;
    for (; next < end && !streams.stop().stop_requested() && !device->poisoned(); ++next) {
        progress.report(first, next, chosen.size(), *chosen[next]);
        timings.buckets.push_back(time_bucket(*engine, *chosen[next], run.options));
        progress.clear();
        tell(timings.buckets.back(), streams, output);
    }
    timings.left = chosen.size() - next;
    timings.interrupted = timings.left > 0 && streams.stop().stop_requested();
    return timings;
}

Timings time_all(const TimingRun& run, const Streams& streams, const Output& output) {
    Timings timings;
    timings.options = run.options;
    if (!run.isolated) timings = time_here(run, {}, streams, output);
    if (timings.interrupted || (!run.isolated && timings.left == 0)) return timings;
    Children children(run, streams, output);
    children.time_rest(timings);
    timings.left = children.left(timings);
    return timings;
}

int exit_code_of(const Timings& timings) {
    if (timings.interrupted) return kInterrupted;
    const bool all =
        std::all_of(timings.buckets.begin(), timings.buckets.end(), [](const BucketTiming& bucket) {
            return !bucket.failure || !bucket.failure->kind ||
                   *bucket.failure->kind == FailureClass::recoverable;
        });
    return all && timings.left == 0 ? 0 : kNo;
}

}  // namespace graphplan::cli
