#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "engine/block.hpp"
#include "engine/range.hpp"
#include "graphplan/replay.hpp"
#include "replay/capturing.hpp"
#include "replay/preparation.hpp"
#include "replay/routes.hpp"
#include "replay/slot_rings.hpp"
#include "replay/staging.hpp"

namespace graphplan {

using replay::CapturedSlot;

class ReplaySession::Impl {
  public:
    Impl(Engine& engine, const Buckets& buckets, Plan plan, ReplayOptions options);
    ~Impl();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    const CaptureReport& capture();
    std::optional<Lease> lease(const StepShape& step, std::optional<std::size_t> bucket, std::int64_t tokens);
    std::optional<Lease> lease_before_inputs(const StepShape& step);
    CapturedSlot& slot(const Lease& lease) {
        return captured_.buckets[lease.index].slots[static_cast<std::size_t>(lease.slot)];
    }
    /// @throws Error invalid_argument where the lease was released
    CapturedSlot& held(const Lease& lease);
    void release(const Lease& lease) noexcept;
    void stage(const Lease& lease, std::span<const StagedInput> inputs,
               std::span<const std::int64_t> lengths);
    void launch(const Lease& lease);
    OwnedTensor copy(const Lease& lease, std::size_t output);
    TensorView view(const Lease& lease, std::size_t output);
    std::unique_ptr<PreparedSlot> eager(const StepShape& step);
    std::optional<std::int64_t> max_batch_size_for(std::string_view pool,
                                                   std::string_view walk) const noexcept;

    Device& device() { return engine_.device(); }

    Engine& engine_;
    Buckets buckets_;
    Plan plan_;
    ReplayOptions options_;
    Stream stream_;
    replay::Preparation preparation_;
    replay::Captured captured_;
    std::optional<replay::Routes> routes_;
    std::optional<replay::SlotRings> rings_;
    bool ran_ = false;

  private:
    const NamedTensor& input(const Lease& lease, const CapturedSlot& slot, const StagedInput& content) const;
    void stage_offsets(CapturedSlot& slot, const Lease& lease, std::span<const std::int64_t> lengths);
};

ReplaySession::Impl::Impl(Engine& engine, const Buckets& buckets, Plan plan, ReplayOptions options)
    : engine_(engine),
      buckets_(buckets),
      plan_(std::move(plan)),
      options_(std::move(options)),
      stream_(engine.device(), engine.device().create_stream()),
      preparation_(engine.device(), stream_.id()) {
    routes_.emplace(captured_.buckets, buckets_);
}

// Graphs must not go while they run.
ReplaySession::Impl::~Impl() {
    try {
        if (!device().poisoned()) device().synchronize(stream_.id());
    } catch (const Error&) {  // what failed on the stream was for its user to see
    }
}

const CaptureReport& ReplaySession::Impl::capture() {
    if (std::exchange(ran_, true)) {
        throw Error(ErrorCode::invalid_argument, "a session captures once; make a new one over a new engine");
    }
    if (!engine_.claimed()) engine_.claim();
    captured_ = replay::Capturing(engine_, buckets_, plan_, options_).run();
    routes_.emplace(captured_.buckets, buckets_);
    rings_.emplace(captured_.buckets, plan_.outputs);
    preparation_.adopt(captured_.buckets);
    return captured_.report;
}

std::optional<Lease> ReplaySession::Impl::lease(const StepShape& step, std::optional<std::size_t> index,
                                                std::int64_t tokens) {
    if (!index) return std::nullopt;
    const replay::SlotRings::Turn turn = rings_->take(*index);
    return Lease{captured_.buckets[*index].spec, turn.slot, step.bs, tokens, *index, turn.number};
}

CapturedSlot& ReplaySession::Impl::held(const Lease& lease) {
    if (rings_->holds(lease.index, {lease.slot, lease.number})) return slot(lease);
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: this lease was released, and its slot may be another's: lease again",
                            replay::label_of(lease.bucket->pool, lease.bucket->id)));
}

void ReplaySession::Impl::release(const Lease& lease) noexcept {
    if (rings_->give_back(lease.index, {lease.slot, lease.number})) preparation_.forget(slot(lease));
}

std::optional<Lease> ReplaySession::Impl::lease_before_inputs(const StepShape& step) {
    const std::optional<std::size_t> index = routes_->find_batched(step);
    if (!index) return std::nullopt;
    const BucketKey& id = captured_.buckets[*index].spec->id;
    return lease(step, index, id.tokens / id.bs * step.bs);
}

const NamedTensor& ReplaySession::Impl::input(const Lease& lease, const CapturedSlot& slot,
                                              const StagedInput& content) const {
    std::vector<std::string> names;
    for (const NamedTensor& known : slot.graph.tensors.inputs) {
        if (known.name == content.name) return known;
    }
    for (const NamedTensor& known : slot.graph.tensors.inputs) names.push_back(known.name);
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} has no input {}.{}", replay::label_of(lease.bucket->pool, lease.bucket->id),
                            quoted(content.name), suggestion(content.name, names)));
}

void ReplaySession::Impl::stage(const Lease& lease, std::span<const StagedInput> inputs,
                                std::span<const std::int64_t> lengths) {
    CapturedSlot& to = held(lease);
    preparation_.check(to);
    for (const StagedInput& content : inputs) {
        replay::stage_input(device(), input(lease, to, content), content, lease.bucket->is_region,
                            stream_.id());
    }
    stage_offsets(to, lease, lengths);
    preparation_.pad(to, lease);
}

// Buckets of one config share their row offsets, so that each step writes its own.
void ReplaySession::Impl::stage_offsets(CapturedSlot& to, const Lease& lease,
                                        std::span<const std::int64_t> lengths) {
    const bool fits =
        static_cast<std::int64_t>(lengths.size()) <= lease.bs &&
        std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}) <= lease.bucket->id.tokens &&
        std::all_of(lengths.begin(), lengths.end(), [](std::int64_t length) { return length >= 0; });
    if (!fits || (!lengths.empty() && to.offsets.empty())) {
        throw Error(
            ErrorCode::invalid_argument,
            fmt::format("{}: {} row lengths: expected at most {} of at least 0 that add up to at most {}, "
                        "for a forward that reads row offsets",
                        replay::label_of(lease.bucket->pool, lease.bucket->id), lengths.size(), lease.bs,
                        lease.bucket->id.tokens));
    }
    if (to.offsets.empty()) return;
    replay::write_offsets(to.offsets, lease.bs, lease.tokens, lengths);
    device().upload(to.graph.tensors.row_offsets->address, to.offsets.data(),
                    static_cast<Bytes>(to.offsets.size() * sizeof(std::int32_t)), stream_.id());
}

void ReplaySession::Impl::launch(const Lease& lease) {
    CapturedSlot& of = held(lease);
    const engine::Range range(device(), of.label);
    preparation_.before_launch(of);
    if (of.graph.launch_state) of.graph.launch_state->write(stream_.id());
    device().launch(of.executable.id(), stream_.id());
    preparation_.after_launch(of);
}

TensorView ReplaySession::Impl::view(const Lease& lease, std::size_t output) {
    const std::vector<NamedTensor>& outputs = slot(lease).graph.tensors.outputs;
    if (output >= outputs.size()) {
        throw Error(
            ErrorCode::invalid_argument,
            fmt::format("{} has no output {}; it has {}",
                        replay::label_of(lease.bucket->pool, lease.bucket->id), output, outputs.size()));
    }
    TensorView view = outputs[output].view;
    if (!view.shape.empty()) view.shape[0] = replay::real_rows(outputs[output], lease);
    return view;
}

OwnedTensor ReplaySession::Impl::copy(const Lease& lease, std::size_t output) {
    OwnedTensor owned{view(lease, output), nullptr};
    const auto block = std::make_shared<engine::Block>(engine_.allocator(), owned.view.bytes());
    device().copy(block->address(), owned.view.address, owned.view.bytes(), stream_.id());
    owned.view.address = block->address();
    owned.memory = block;
    return owned;
}

std::unique_ptr<PreparedSlot> ReplaySession::Impl::eager(const StepShape& step) {
    for (std::size_t i = 0; i < buckets_.captures.size(); ++i) {
        const CaptureConfig& config = buckets_.captures[i];
        const bool same_key = config.key ? step.key && *step.key == *config.key : !step.key;
        if (config.node != step.pool || !same_key || !replays(config, step.walk)) continue;
        BucketSpec like;
        like.capture = i;
        like.pool = config.node;
        const std::int64_t past_most =
            kMostTokens / config.tokens_multiplier + 1;  // refused, and no overflow
        const std::int64_t tokens = std::clamp<std::int64_t>(step.tokens, 0, past_most);
        like.id = {std::string(step.walk), config.key, step.bs, tokens * config.tokens_multiplier};
        like.is_region = config.is_region;
        return engine_.prepare_eager(like);
    }
    throw Error(ErrorCode::invalid_argument, fmt::format("pool {} has no buckets that replay walk {}",
                                                         quoted(step.pool), quoted(step.walk)));
}

std::optional<std::int64_t> ReplaySession::Impl::max_batch_size_for(std::string_view pool,
                                                                    std::string_view walk) const noexcept {
    std::optional<std::int64_t> most;
    for (const CaptureConfig& config : buckets_.captures) {
        if (config.node != pool || !config.caps_eager_batch_size || !replays(config, walk)) continue;
        for (const std::int64_t bs : config.batch_sizes) most = std::max(most.value_or(bs), bs);
    }
    return most;
}

ReplaySession::ReplaySession(Engine& engine, const Buckets& buckets, Plan plan, ReplayOptions options)
    : impl_(std::make_unique<Impl>(engine, buckets, std::move(plan), std::move(options))) {}
ReplaySession::~ReplaySession() = default;
const CaptureReport& ReplaySession::capture() { return impl_->capture(); }

std::optional<Lease> ReplaySession::lease(const StepShape& step) {
    const std::optional<std::size_t> index = impl_->routes_->find(step);
    // Of a bucket that fits: the product is at most the bucket's.
    const std::int64_t multiplier = index ? impl_->captured_.buckets[*index].config->tokens_multiplier : 0;
    return impl_->lease(step, index, step.tokens * multiplier);
}

std::optional<Lease> ReplaySession::lease_before_inputs(const StepShape& step) {
    return impl_->lease_before_inputs(step);
}

bool ReplaySession::can_run(const StepShape& step) const noexcept {
    return impl_->routes_->find(step).has_value();
}

std::optional<std::int64_t> ReplaySession::max_batch_size_for(std::string_view pool,
                                                              std::string_view walk) const noexcept {
    return impl_->max_batch_size_for(pool, walk);
}

const SlotTensors& ReplaySession::tensors(const Lease& lease) const noexcept {
    return impl_->slot(lease).graph.tensors;
}

std::span<const std::int64_t> ReplaySession::padding_rows(const Lease& lease) const noexcept {
    const std::vector<std::int64_t>& rows = tensors(lease).padding_rows;
    return std::span(rows).subspan(static_cast<std::size_t>(lease.bs));
}

void ReplaySession::prepare(const Lease& lease, std::string_view resource, std::span<const PageRow> rows) {
    impl_->preparation_.write(impl_->held(lease), lease, resource, rows);
}

void ReplaySession::stage(const Lease& lease, std::span<const StagedInput> inputs,
                          std::span<const std::int64_t> row_lengths) {
    impl_->stage(lease, inputs, row_lengths);
}

void ReplaySession::launch(const Lease& lease) { impl_->launch(lease); }
void ReplaySession::release(const Lease& lease) noexcept { impl_->release(lease); }
TensorView ReplaySession::view(const Lease& lease, std::size_t output) const {
    return impl_->view(lease, output);
}
OwnedTensor ReplaySession::copy(const Lease& lease, std::size_t output) { return impl_->copy(lease, output); }
std::unique_ptr<PreparedSlot> ReplaySession::eager(const StepShape& step) { return impl_->eager(step); }
std::uint64_t ReplaySession::stream() const noexcept { return impl_->stream_.id(); }
void ReplaySession::synchronize() { impl_->device().synchronize(impl_->stream_.id()); }

}  // namespace graphplan
