#include "replay/capturing.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "engine/range.hpp"

namespace graphplan::replay {
namespace {

constexpr std::size_t kReasonLimit = 2000;

const BucketSpec* find(const Engine& engine, std::string_view pool, const PlannedCapture& capture) {
    for (const BucketSpec& spec : engine.buckets()) {
        if (spec.pool == pool && means(capture.id, capture.region, spec)) return &spec;
    }
    return nullptr;
}

}  // namespace

bool means(const BucketKey& id, const std::optional<std::string>& region, const BucketSpec& spec) noexcept {
    return spec.id == id && (spec.is_region ? region == spec.id.walk : !region);
}

std::string label_of(std::string_view pool, const BucketKey& id) {
    return fmt::format("{}: {}", shortened(pool, 200), shortened(to_string(id), 400));
}

Capturing::Capturing(Engine& engine, const Buckets& buckets, const Plan& plan, const ReplayOptions& options)
    : engine_(engine),
      buckets_(buckets),
      plan_(plan),
      options_(options),
      reader_(engine.device()),
      first_(engine) {}

Captured Capturing::run() {
    collect();
    warm_up();
    if (plan_.outputs == Outputs::shared) claim_outputs();
    for (std::size_t pool = 0; pool < captured_.pools.size(); ++pool) capture_pool(pool);
    finish();
    return std::move(captured_);
}

void Capturing::collect() {
    captured_.report.own_memory = reader_.own();
    for (std::size_t pool = 0; pool < plan_.pools.size(); ++pool) {
        const PoolPlan& planned = plan_.pools[pool];
        captured_.pools.emplace_back(engine_.allocator());
        TakenPool& taken = captured_.report.pools.emplace_back();
        taken.name = planned.name;
        taken.planned = planned.captures.size();
        taken.predicted_bytes = planned.predicted_bytes;
        taken.predicted_outside_bytes = planned.outside_bytes;
        for (const OutputBuffer& buffer : planned.output_buffers)
            taken.predicted_output_bytes += buffer.bytes;
        for (const PlannedCapture& capture : planned.captures) add(pool, capture);
    }
}

void Capturing::add(std::size_t pool, const PlannedCapture& capture) {
    const BucketSpec* spec = find(engine_, plan_.pools[pool].name, capture);
    if (const std::optional<Failure> failure = refusal(spec)) return drop(pool, capture.id, *failure);
    planned_.push_back({pool, spec});
}

std::optional<Failure> Capturing::refusal(const BucketSpec* spec) const {
    if (spec == nullptr) {
        return Failure{Failure::Kind::capture,
                       "the buckets document asks for no such bucket; size it and plan again"};
    }
    if (spec->denied)
        return Failure{Failure::Kind::denied, "the buckets document says \"capture\": \"deny\""};
    if (!spec->blockers.empty()) {
        return Failure{Failure::Kind::resource, shortened(fmt::format("resources that cannot capture: {}",
                                                                      fmt::join(spec->blockers, ", ")),
                                                          kReasonLimit)};
    }
    if (engine_.device().capabilities().captures_graphs) return std::nullopt;
    return Failure{Failure::Kind::capture, "the device cannot capture graphs"};
}

// All of them before the first capture: what kernels load, and segments that come and go, would lie
// between the pools' segments otherwise.
void Capturing::warm_up() {
    if (options_.warmup_forwards < 1) return;
    std::vector<Planned> warm;
    for (const Planned& planned : planned_) {
        stop_if_asked(0);
        try {
            warm_up(*planned.spec);
            warm.push_back(planned);
        } catch (const Error& error) {
            fail(planned, Failure::Kind::capture, error);
        }
    }
    planned_ = std::move(warm);
    engine_.release_cached();
}

void Capturing::warm_up(const BucketSpec& spec) {
    for (std::int64_t slot = 0; slot < spec.slots; ++slot) {
        const std::unique_ptr<PreparedSlot> prepared = engine_.prepare(spec, slot);
        for (int i = 0; i < options_.warmup_forwards; ++i) prepared->forward();
    }
}

// Before the first capture too, so that they lie beside the pools' segments and not between them.
void Capturing::claim_outputs() {
    engine_.release_cached();
    std::vector<const BucketSpec*> buckets;
    for (const Planned& planned : planned_) buckets.push_back(planned.spec);
    captured_.outputs = SharedOutputs(engine_.device(), buckets);
}

// What a failed capture took of the pool stays there, and earlier graphs may lie beside it: the pool is
// captured anew without that bucket, so that it takes no more than what it holds.
void Capturing::capture_pool(std::size_t pool) {
    for (std::size_t i = 0; i < planned_.size();) {
        const Planned planned = planned_[i];
        if (planned.pool != pool) {
            ++i;
            continue;
        }
        stop_if_asked(done());
        if (options_.progress) options_.progress(done(), planned_.size(), *planned.spec);
        const Bytes before = captured_.pools[pool].bytes();
        if (capture(planned)) {
            ++i;
            continue;
        }
        planned_.erase(planned_.begin() + static_cast<std::ptrdiff_t>(i));
        if (captured_.pools[pool].bytes() == before) continue;
        start_over(pool);
        i = 0;
    }
}

void Capturing::start_over(std::size_t pool) {
    TakenPool& taken = captured_.report.pools[pool];
    if (taken.captured > 0)
        log(LogLevel::info,
            fmt::format("pool {}: captured anew, since a failed capture grew it", taken.name));
    std::erase_if(captured_.buckets,
                  [&](const CapturedBucket& bucket) { return bucket.spec->pool == taken.name; });
    captured_.pools[pool] = engine::GraphPool(engine_.allocator());
    taken.captured = 0;
    taken.taken_bytes = 0;
    engine_.release_cached();
}

bool Capturing::capture(const Planned& planned) {
    CapturedBucket bucket{planned.spec, &buckets_.captures.at(planned.spec->capture), {}};
    Bytes outside = 0;
    try {
        for (std::int64_t slot = 0; slot < planned.spec->slots; ++slot) {
            bucket.slots.push_back(capture_slot(planned, slot));
        }
    } catch (const Error& error) {
        bucket.slots.clear();
        fail(planned, Failure::Kind::capture, error);
        return false;
    }
    try {
        for (CapturedSlot& slot : bucket.slots) instantiate(slot, outside);
    } catch (const Error& error) {
        bucket.slots.clear();
        captured_.report.pools[planned.pool].taken_outside_bytes += outside;
        fail(planned, Failure::Kind::instantiate, error);
        return false;
    }
    TakenPool& taken = captured_.report.pools[planned.pool];
    ++taken.captured;
    taken.taken_outside_bytes += outside;
    for (const CapturedSlot& slot : bucket.slots) taken.taken_bytes += slot.graph.outside_pool_bytes;
    log(LogLevel::info,
        fmt::format("{}: captured, slots {}, executables {}", label_of(planned.spec->pool, planned.spec->id),
                    bucket.slots.size(), format_bytes(outside)));
    captured_.buckets.push_back(std::move(bucket));
    return true;
}

CapturedSlot Capturing::capture_slot(const Planned& planned, std::int64_t slot) {
    CapturedSlot captured;
    captured.label =
        fmt::format("replay {} {} slot {}", planned.spec->pool, to_string(planned.spec->id), slot);
    const std::unique_ptr<PreparedSlot> prepared = engine_.prepare(*planned.spec, slot);
    captured.graph = first_.capture(*prepared, captured_.pools[planned.pool].id(),
                                    captured_.outputs.of(*planned.spec, slot));
    const SlotTensors& tensors = captured.graph.tensors;
    if (tensors.row_offsets)
        captured.offsets.resize(static_cast<std::size_t>(tensors.row_offsets->elements()));
    return captured;
}

void Capturing::instantiate(CapturedSlot& slot, Bytes& taken) {
    Device& device = engine_.device();
    const engine::Range range(device, slot.label);
    const Bytes before = reader_.taken();
    slot.executable = Executable(device, device.instantiate(slot.graph.graph.id()));
    taken += std::max<Bytes>(0, reader_.taken() - before);
    slot.graph.graph = Graph();
}

void Capturing::fail(const Planned& planned, Failure::Kind kind, const Error& error) {
    const std::string label = label_of(planned.spec->pool, planned.spec->id);
    const std::string reason = shortened(error.what(), kReasonLimit);
    if (engine_.device().poisoned()) {
        throw Error(ErrorCode::device,
                    fmt::format("{}: the attempt to capture it broke the device's context: {}. Nothing more "
                                "can run in this process. Give this capture \"capture\": \"deny\" in the "
                                "buckets document, size and plan again.",
                                label, reason));
    }
    engine_.release_cached();
    drop(planned.pool, planned.spec->id, {kind, reason});
}

void Capturing::drop(std::size_t pool, const BucketKey& id, const Failure& failure) {
    const std::string& name = plan_.pools[pool].name;
    log(LogLevel::warning,
        fmt::format("{}: dropped, it runs eagerly: {}", label_of(name, id), failure.reason));
    captured_.report.dropped.push_back({name, id, failure});
}

void Capturing::finish() {
    CaptureReport& report = captured_.report;
    report.one_off_bytes = first_.bytes();
    captured_.outputs.drop_unused(captured_.buckets);
    for (std::size_t pool = 0; pool < report.pools.size(); ++pool) {
        TakenPool& taken = report.pools[pool];
        taken.taken_output_bytes = captured_.outputs.bytes(taken.name);
        taken.taken_bytes += captured_.pools[pool].bytes() + taken.taken_output_bytes;
    }
    std::map<std::size_t, Bytes> interned;
    for (const BucketSpec& spec : engine_.buckets()) {
        if (spec.is_region) continue;
        interned[spec.capture] = std::max(interned[spec.capture], spec.input_bytes);
    }
    for (const auto& [config, bytes] : interned) report.input_bytes += bytes;
    report.saved_input_bytes = -report.input_bytes;
    for (const CapturedBucket& bucket : captured_.buckets) {
        if (bucket.spec->is_region) continue;
        report.saved_input_bytes += bucket.spec->input_bytes * static_cast<Bytes>(bucket.slots.size());
    }
    if (report.dropped.empty()) return;
    std::vector<std::string> names;
    for (const DroppedBucket& dropped : report.dropped) names.push_back(label_of(dropped.pool, dropped.id));
    const std::string list = shortened(fmt::format("{}", fmt::join(names, ", ")), kReasonLimit);
    if (options_.require_graphs) {
        throw Error(
            ErrorCode::device,
            fmt::format("graphs are required, and {} of the plan's buckets could not be captured: {}. "
                        "The first: {}",
                        names.size(), list, report.dropped.front().failure.reason));
    }
    log(LogLevel::warning, fmt::format("planned, and eager all the same: {}", list));
}

void Capturing::stop_if_asked(std::size_t done) const {
    if (!options_.stop.stop_requested()) return;
    throw Error(ErrorCode::interrupted,
                fmt::format("interrupted after {} of {} buckets were captured", done, planned_.size()));
}

}  // namespace graphplan::replay
