#include "timing_words.hpp"

#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "words.hpp"

namespace graphplan::cli {
namespace {

constexpr std::size_t kMessageLimit = 1000;

std::string one_word(const std::string& text) {
    return text.find_first_of(" \t\"") == std::string::npos ? printable(text) : graphplan::quoted(text, 300);
}

std::string direct_line(const BucketTiming& timing) {
    const std::string key = timing.id.key ? fmt::format("[{}]", *timing.id.key) : "";
    return fmt::format("direct timing walk={} bs={} tokens={} phase={} reason={}",
                       one_word(timing.id.walk + key), timing.id.bs, timing.id.tokens, timing.failure->phase,
                       timing.failure->reason);
}

std::string failure_words(const TimingFailure& failure, const std::string& label) {
    const std::string message = shortened(failure.message, kMessageLimit);
    if (failure.kind == FailureClass::fatal) {
        return fmt::format(
            "{}: no time, since the step itself failed ({}): {}. Find out why it fails by "
            "itself, or take the bucket out of the buckets document",
            label, failure.phase, message);
    }
    if (failure.kind == FailureClass::poisoned) {
        return fmt::format(
            "{}: the attempt to capture it broke the device's context or its process ({}): {}. Give it "
            "\"capture\": \"deny\" in the buckets document",
            label, failure.phase, message);
    }
    return fmt::format("{}: timed directly: {}", label, message);
}

void tell_spread(const BucketTiming& bucket, const Output& output) {
    const auto tell_one = [&](const char* what, const std::optional<Timing>& timing) {
        if (!timing || !timing->wide()) return;
        const auto& reasons = bucket.clocks.held_down_by;
        const std::string clocks =
            reasons.empty() ? "" : fmt::format("; its clocks are held down: {}", fmt::join(reasons, ", "));
        output.warn(
            fmt::format("{}: {} times spread widely, {} to {} (p10 to p90) around {}{}. Time it while "
                        "nothing else uses the device",
                        label_of(bucket.pool, bucket.id), what, format_us(*timing->summary.p10),
                        format_us(*timing->summary.p90), format_us(timing->summary.median), clocks));
    };
    tell_one("eager", bucket.eager);
    tell_one("replay", bucket.replay);
}

std::string shown(const std::optional<Timing>& timing) {
    return timing ? format_us(timing->summary.median) : "-";
}

std::string interval(const std::optional<Timing>& timing) {
    if (!timing || !timing->median_interval) return "-";
    const auto& [low, high] = *timing->median_interval;
    const double half = std::max(high - timing->summary.median, timing->summary.median - low);
    return timing->summary.median > 0 ? fmt::format("{:.1f} %", 100 * half / timing->summary.median) : "-";
}

std::string how(const BucketTiming& timing) {
    if (!timing.failure)
        return fmt::format("graph of {}", counted(static_cast<std::size_t>(timing.calls), "call"));
    const std::string kind = timing.failure->kind ? fmt::format(" {}", to_string(*timing.failure->kind)) : "";
    return fmt::format("{}:{} {} {}", timed_by(timing) == "none" ? "no time" : timed_by(timing), kind,
                       timing.failure->phase, printable(timing.failure->reason));
}

}  // namespace

std::string left_words(double seconds) {
    constexpr double worth_it = 10, minute = 60;
    if (seconds < worth_it) return "";
    if (seconds < 2 * minute) return fmt::format(", about {:.0f} s left", seconds);
    return fmt::format(", about {:.0f} min left", seconds / minute);
}

std::string no_captures(const Capabilities& device) {
    return fmt::format("{} captures no graphs: every bucket is timed directly", printable(device.name));
}

void tell(const BucketTiming& timing, const Streams& streams, const Output& output) {
    tell_spread(timing, output);
    if (!timing.failure || timing.failure->phase == "device") return;
    if (timing.eager) streams.err << "graphplan: " << direct_line(timing) << '\n';
    if (timing.failure->kind) output.warn(failure_words(*timing.failure, label_of(timing.pool, timing.id)));
}

void print_timings(std::ostream& out, const Paint& paint, const Timings& timings, bool everything) {
    print_simulated(out, paint, timings.provenance);
    std::vector<std::vector<std::string>> rows;
    for (const BucketTiming& timing : timings.buckets) {
        rows.push_back({label_of(timing.pool, timing.id), shown(timing.eager), shown(timing.replay),
                        interval(timing.replay),
                        timing.ratio() ? fmt::format("{:.2f}", *timing.ratio()) : "-", how(timing)});
    }
    print_rows(out, paint,
               {{"bucket"},
                {"eager", true},
                {"replay", true},
                {"+- (95 %)", true},
                {"eager/replay", true},
                {"timed"}},
               std::move(rows), everything);
    if (timings.left > 0)
        out << paint.yellow("not complete:")
            << fmt::format(" {} not reached\n", counted(timings.left, "bucket"));
}

}  // namespace graphplan::cli
