#include "graphplan/sizing.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "engine/range.hpp"
#include "sizing/sized_buckets.hpp"
#include "sizing/throwaway.hpp"
#include "sizing/warmup.hpp"

namespace graphplan {
namespace {

constexpr std::size_t kListLimit = 2000;

std::string shown(const std::optional<Bytes>& bytes) { return bytes ? format_bytes(*bytes) : "no graph"; }

}  // namespace

class Sizing::Impl {
  public:
    Impl(Engine& engine, SizingOptions options);
    ~Impl() { release_copies(); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    Costs run();
    Costs capture_lent();
    bool has_lent() const noexcept;
    void release_copies() noexcept { buckets_.release_copies(); }

  private:
    void size_all();
    void size(const BucketSpec& bucket);
    void size_graph(const BucketSpec& bucket, WarmSlot& warm);
    std::optional<Failure> why_not_captured(const BucketSpec& bucket);
    void capture(SizedBucket& sized, PreparedSlot& slot);
    void recapture(SizedBucket& sized);
    void report(const SizedBucket& sized);
    std::int64_t graphs_of(const SizedWalk& walk) const;
    void report_measurement(const SizedWalk& walk);
    void report_all();

    void stop_if_asked(std::size_t done, std::size_t total) const;
    Bytes free_bytes();
    Costs costs();
    void log(LogLevel level, const std::string& text) const {
        if (options_.log) options_.log(level, text);
    }

    Engine& engine_;
    SizingOptions options_;
    ThrowawayCaptures captures_;
    SizedBuckets buckets_;
    Bytes free_bytes_before_ = 0;
    bool ran_ = false;
    std::set<std::size_t> blocked_;  // captures whose blocking resources were reported
};

Sizing::Impl::Impl(Engine& engine, SizingOptions options)
    : engine_(engine), options_(std::move(options)), captures_(engine) {
    if (options_.warmup_forwards >= 1) return;
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} warm-up forwards: at least 1 is needed, since the last one's peak is what "
                            "counts",
                            options_.warmup_forwards));
}

Costs Sizing::Impl::run() {
    if (std::exchange(ran_, true)) {
        throw Error(ErrorCode::invalid_argument, "a sizing run runs once; make a new one over a new engine");
    }
    engine_.claim();
    free_bytes_before_ = free_bytes();
    if (free_bytes_before_ < 0) {
        log(LogLevel::warning,
            fmt::format("the model does not fit: with all its weights loaded, {} would be missing",
                        format_bytes(-free_bytes_before_)));
    }
    try {
        size_all();
    } catch (...) {
        release_copies();
        engine_.release_cached();
        throw;
    }
    report_all();
    return costs();
}

void Sizing::Impl::size_all() {
    if (!engine_.device().capabilities().captures_graphs) {
        log(LogLevel::warning,
            "the device cannot capture graphs: every bucket is warmed up, none gets a graph");
    } else if (!captures_.one_off_is_own()) {
        log(LogLevel::warning,
            "this process's own memory cannot be read here: executables and the first capture are measured "
            "by "
            "free memory of the device, which other processes move; size while they are quiet");
    }
    std::vector<const BucketSpec*> selected;
    for (const BucketSpec& bucket : engine_.buckets()) {
        if (!options_.select || options_.select(bucket)) selected.push_back(&bucket);
    }
    for (std::size_t i = 0; i < selected.size(); ++i) {
        stop_if_asked(i, selected.size());
        if (options_.progress) options_.progress(i, selected.size(), *selected[i]);
        size(*selected[i]);
    }
}

void Sizing::Impl::size(const BucketSpec& bucket) {
    const engine::Range range(engine_.device(), label_of(bucket));
    for (std::int64_t slot = 0; slot < bucket.slots; ++slot) {
        WarmSlot warm = warm_up(engine_, bucket, slot, options_.warmup_forwards);
        if (slot == 0) size_graph(bucket, warm);
    }
}

void Sizing::Impl::size_graph(const BucketSpec& bucket, WarmSlot& warm) {
    SizedBucket& sized = buckets_.add(bucket, warm.last);
    SizedWalk& walk = buckets_.walk_of(bucket);
    if (const std::optional<Failure> failure = why_not_captured(bucket)) {
        SizedBuckets::leave_out(sized, *failure);
    } else if (options_.size_by == SizedBy::lend && walk.lending.lends(sized.cost.peak_bytes)) {
        SizedBuckets::lend(sized, walk, std::move(warm.last.trace));
    } else {
        capture(sized, *warm.slot);
        if (sized.cost.graph_bytes) walk.lending.add(SizedBuckets::as_lender(sized));
    }
    report(sized);
}

std::optional<Failure> Sizing::Impl::why_not_captured(const BucketSpec& bucket) {
    if (options_.refusal) return options_.refusal;
    if (bucket.denied)
        return Failure{Failure::Kind::denied, "the buckets document says \"capture\": \"deny\""};
    if (!bucket.blockers.empty()) {
        const std::string reason =
            fmt::format("resources that cannot capture: {}",
                        shortened(fmt::format("{}", fmt::join(bucket.blockers, ", ")), kListLimit));
        if (blocked_.insert(bucket.capture).second) {
            log(LogLevel::warning,
                fmt::format("{} and its other sizes get no graph: it touches {}", label_of(bucket), reason));
        }
        return Failure{Failure::Kind::resource, reason};
    }
    if (engine_.device().capabilities().captures_graphs) return std::nullopt;
    return Failure{Failure::Kind::capture, "the device cannot capture graphs"};
}

// Of all slots of a walk's buckets that may get one.
std::int64_t Sizing::Impl::graphs_of(const SizedWalk& walk) const {
    std::int64_t graphs = 0;
    for (const BucketSpec& bucket : engine_.buckets()) {
        const bool same =
            bucket.pool == walk.pool && bucket.id.walk == walk.walk && bucket.id.key == walk.key;
        if (same && !bucket.denied && bucket.blockers.empty()) graphs += bucket.slots;
    }
    return graphs;
}

void Sizing::Impl::capture(SizedBucket& sized, PreparedSlot& slot) {
    SizedWalk& walk = buckets_.walk_of(*sized.spec);
    const bool measured = walk.executable.measured();
    ThrownAway thrown = captures_.take(slot, walk.executable, {graphs_of(walk), sized.spec->slots});
    if (engine_.device().poisoned()) {
        throw poisoned_by(*sized.spec,
                          thrown.failure ? thrown.failure->reason : "its executables could not be copied");
    }
    if (!measured && walk.executable.measured()) report_measurement(walk);
    SizedBuckets::take(sized, std::move(thrown));
}

Costs Sizing::Impl::capture_lent() {
    if (!ran_) {
        throw Error(ErrorCode::invalid_argument,
                    "nothing is lent yet: run the sizing before its second pass");
    }
    const auto total = static_cast<std::size_t>(std::count_if(buckets_.all().begin(), buckets_.all().end(),
                                                              [](const SizedBucket& b) { return b.lent(); }));
    std::size_t done = 0;
    for (SizedBucket& sized : buckets_.all()) {
        if (!sized.lent()) continue;
        stop_if_asked(done, total);
        if (options_.progress) options_.progress(done, total, *sized.spec);
        recapture(sized);
        ++done;
    }
    if (total > 0) report_all();
    return costs();
}

// Without a forward: sizing ran the bucket's, and a capture runs nothing.
void Sizing::Impl::recapture(SizedBucket& sized) {
    const engine::Range range(engine_.device(), label_of(*sized.spec));
    std::unique_ptr<PreparedSlot> slot;
    try {
        slot = engine_.prepare(*sized.spec, 0);
    } catch (const Error& error) {
        if (engine_.device().poisoned()) throw poisoned_by(*sized.spec, error.what());
        ThrownAway failed;
        failed.failure = Failure{Failure::Kind::capture, error.what()};
        SizedBuckets::take(sized, std::move(failed));
    }
    if (slot) capture(sized, *slot);
    report(sized);
}

void Sizing::Impl::report(const SizedBucket& sized) {
    const BucketCost& cost = sized.cost;
    const std::string label = label_of(*sized.spec);
    if (cost.failure && cost.sized_by) {
        log(LogLevel::warning,
            fmt::format("{}: could not capture it to size its graph: {}", label, cost.failure->reason));
        return;
    }
    log(LogLevel::info, fmt::format("{}: {}{}, peak {}, kept {}", label, shown(cost.graph_bytes),
                                    sized.lent() ? " (lent)" : "", format_bytes(cost.peak_bytes),
                                    format_bytes(cost.kept_bytes)));
}

void Sizing::Impl::report_measurement(const SizedWalk& walk) {
    const ExecutableFigures& figures = walk.executable.figures();
    log(LogLevel::info,
        fmt::format("{}: graph executable memory, {:.0f} bytes a node; {} copies hold at least {}",
                    walk.label(), figures.bytes_per_node.value_or(0), figures.copies,
                    format_bytes(figures.held_bytes)));
    if (!figures.curve_bytes.empty() && figures.spoiled_counts == 0) return;
    log(LogLevel::warning,
        fmt::format(
            "{}: other processes moved memory while its executables were measured ({} counts spoiled): {}. "
            "Size again while they are quiet.",
            walk.label(), figures.spoiled_counts,
            figures.curve_bytes.empty() ? "the rate stands alone, without a curve"
                                        : "the rate may read high"));
}

void Sizing::Impl::report_all() {
    std::vector<std::string> failed;
    for (const SizedBucket& sized : buckets_.all()) {
        if (sized.cost.failure && sized.cost.sized_by) failed.push_back(label_of(*sized.spec));
    }
    if (failed.empty()) return;
    log(LogLevel::warning, fmt::format("{} of {} buckets could not be captured and would run eagerly: {}",
                                       failed.size(), buckets_.all().size(),
                                       shortened(fmt::format("{}", fmt::join(failed, ", ")), kListLimit)));
}

void Sizing::Impl::stop_if_asked(std::size_t done, std::size_t total) const {
    if (!options_.stop.stop_requested()) return;
    throw Error(ErrorCode::interrupted,
                fmt::format("interrupted after {} of {} buckets were sized", done, total));
}

// Weights that were shared will take their memory when the model is loaded whole.
Bytes Sizing::Impl::free_bytes() {
    engine_.release_cached();
    return engine_.device().memory().free_bytes - engine_.shared_weight_bytes();
}

Costs Sizing::Impl::costs() {
    Costs costs;
    const Capabilities& device = engine_.device().capabilities();
    costs.provenance.backend = device.backend;
    costs.provenance.device = device.name;
    costs.provenance.device_total_bytes = device.total_bytes;
    costs.provenance.driver = device.driver;
    costs.provenance.libraries = device.libraries;
    costs.free_bytes_before = std::max<Bytes>(0, free_bytes_before_);
    costs.free_bytes = std::max<Bytes>(0, free_bytes());
    costs.allocator = engine_.allocator().options();
    costs.one_off_bytes = captures_.one_off_bytes();
    buckets_.write_to(costs);
    return costs;
}

bool Sizing::Impl::has_lent() const noexcept {
    return std::any_of(buckets_.all().begin(), buckets_.all().end(),
                       [](const SizedBucket& sized) { return sized.lent(); });
}

Sizing::Sizing(Engine& engine, SizingOptions options)
    : impl_(std::make_unique<Impl>(engine, std::move(options))) {}
Sizing::~Sizing() = default;
Costs Sizing::run() { return impl_->run(); }
Costs Sizing::capture_lent() { return impl_->capture_lent(); }
bool Sizing::has_lent() const noexcept { return impl_->has_lent(); }
void Sizing::release_copies() noexcept { impl_->release_copies(); }

}  // namespace graphplan
