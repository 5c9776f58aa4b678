#include "timing_run.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "child_process.hpp"
#include "interrupts.hpp"
#include "progress.hpp"
#include "timing_words.hpp"

namespace graphplan::cli {
namespace {

constexpr int kNo = 1, kInterrupted = 130, kSignalled = 128;

bool interrupted(const Streams& streams) {
    const Interrupts* interrupts = streams.environment.interrupts;
    return interrupts != nullptr && interrupts->token().stop_requested();
}

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

/// The loop of `time_all` over processes.
class Children {
  public:
    Children(const TimingRun& run, const Streams& streams, const Output& output)
        : run_(run), streams_(streams), output_(output) {}

    void time_rest(Timings& timings, std::size_t first) {
        TimingPart part{first, std::nullopt};
        while (!interrupted(streams_)) {
            const ChildResult result = run_child(arguments(part));
            if (result.exit_code > kNo && result.exit_code != kInterrupted) {
                if (result.exit_code < kSignalled && part.first == first && timings.buckets.empty())
                    refuse(result);
                lost(result, part, timings);
                continue;
            }
            if (result.exit_code == kInterrupted && result.out.find("graphplan.timings") == std::string::npos)
                return;  // before it measured anything
            Timings measured = parse_timings(result.out);
            part = {part.first + measured.buckets.size(), std::nullopt};
            take(timings, std::move(measured));
            if (timings.left == 0 || result.exit_code == kInterrupted) return;
        }
    }

  private:
    std::vector<std::string> arguments(const TimingPart& part) const {
        std::vector<std::string> arguments = run_.child;
        arguments.insert(arguments.end(), {"--from", std::to_string(part.first)});
        if (part.count) arguments.insert(arguments.end(), {"--count", std::to_string(*part.count)});
        if (output_.quiet()) arguments.emplace_back("-q");
        return arguments;
    }

    static void take(Timings& timings, Timings measured) {
        std::move(measured.buckets.begin(), measured.buckets.end(), std::back_inserter(timings.buckets));
        timings.left = measured.left;
        if (timings.provenance.backend.empty()) timings.provenance = std::move(measured.provenance);
    }

    // An error that a process reports itself holds for every bucket: no device, no memory for the model.
    [[noreturn]] static void refuse(const ChildResult& result) {
        throw Error(ErrorCode::device,
                    fmt::format("no process could time a bucket; the first one ended with exit code {}, and "
                                "said why",
                                result.exit_code));
    }

    // Which bucket of several ended the process is not known: the first is tried alone.
    void lost(const ChildResult& result, TimingPart& part, Timings& timings) {
        if (!part.count) {
            part.count = 1;
            return;
        }
        output_.warn(
            fmt::format("bucket {} has no time: the process that timed it ended with {}. Give it "
                        "\"capture\": \"deny\" in the buckets document",
                        part.first + 1, end_words(result.exit_code)));
        timings.lost += 1;
        part = {part.first + 1, std::nullopt};
    }

    const TimingRun& run_;
    const Streams& streams_;
    const Output& output_;
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
    for (; next < end && !interrupted(streams) && !device->poisoned(); ++next) {
        progress.report(first, next, chosen.size(), *chosen[next]);
        timings.buckets.push_back(time_bucket(*engine, *chosen[next], run.options));
        progress.clear();
        tell(timings.buckets.back(), streams, output);
    }
    timings.left = chosen.size() - next;
    return timings;
}

Timings time_all(const TimingRun& run, const Streams& streams, const Output& output) {
    Timings timings;
    timings.options = run.options;
    if (!run.isolated) timings = time_here(run, {}, streams, output);
    if (run.isolated || timings.left > 0)
        Children(run, streams, output).time_rest(timings, timings.buckets.size());
    return timings;
}

int exit_code_of(const Timings& timings, const Streams& streams) {
    if (interrupted(streams) && (timings.left > 0 || timings.buckets.empty())) return kInterrupted;
    const bool all =
        std::all_of(timings.buckets.begin(), timings.buckets.end(), [](const BucketTiming& bucket) {
            return !bucket.failure || !bucket.failure->kind ||
                   *bucket.failure->kind == FailureClass::recoverable;
        });
    return all && timings.lost == 0 ? 0 : kNo;
}

}  // namespace graphplan::cli
