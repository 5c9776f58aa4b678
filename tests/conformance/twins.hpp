// Two engines over one device, alike: what one replays the other runs eagerly, step by step, from the same
// inputs, pages and random states. Both begin from the same random weights.
#pragma once

#include <algorithm>
#include <set>

#include "../unit/replay/replay_fixture.hpp"
#include "bench.hpp"
#include "step_content.hpp"

namespace graphplan::conformance {

using Content = std::vector<unsigned char>;

struct TwinStep {
    std::string pool, walk;
    std::optional<std::string> key;
    std::int64_t bs = 0, tokens = 0;
    StepShape shape() const {
        std::optional<std::string_view> view;
        if (key) view = *key;
        return {pool, walk, view, bs, tokens};
    }
};

/// Everything in the engine's order, which is from the largest down.
inline Plan plan_of_all(const Engine& engine, Outputs outputs) {
    Plan plan;
    plan.outputs = outputs;
    for (const BucketSpec& spec : engine.buckets()) {
        if (plan.pools.empty() || plan.pools.back().name != spec.pool)
            plan.pools.emplace_back().name = spec.pool;
        PlannedCapture& capture = plan.pools.back().captures.emplace_back();
        capture.id = spec.id;
        capture.slots = spec.slots;
        if (spec.is_region) capture.region = spec.id.walk;
    }
    return plan;
}

class Twins {
  public:
    Twins(std::unique_ptr<Device> made, const Model& model, Buckets asked, Outputs outputs)
        : device_(std::move(made)), buckets_(std::move(asked)) {
        EngineOptions options;
        options.share_weights = true;
        options.seed = 11;
        options.weight_seed = 5;
        replayed_ = make_interpreter(*device_, model, buckets_, options);
        eager_ = make_interpreter(*device_, model, buckets_, options);
        session_ = std::make_unique<ReplaySession>(*replayed_, buckets_, plan_of_all(*replayed_, outputs),
                                                   ReplayOptions{});
        dropped = session_->capture().dropped.size();
        warm_up_alike();
        upload_ = Stream(*device_, device_->create_stream());
    }

    const std::vector<BucketSpec>& buckets() const { return replayed_->buckets(); }
    const CaptureConfig& config(const BucketSpec& spec) const { return buckets_.captures[spec.capture]; }
    bool computes() const { return device_->capabilities().computes; }
    ReplaySession& session() { return *session_; }

    /// Runs a step both ways and compares the real rows of all outputs. The outputs, one after another.
    Content run(const TwinStep& step) {
        const std::optional<Lease> lease = session_->lease(step.shape());
        REQUIRE(lease);
        Content content = run(step, *lease);
        session_->release(*lease);
        return content;
    }

    /// The same without its lease and release.
    Content run(const TwinStep& step, const Lease& lease) {
        slots_seen.insert({step.pool + to_string(lease.bucket->id), lease.slot});
        const std::unique_ptr<PreparedSlot> twin = eager_->prepare_eager(like(step, lease));
        for (const NamedTensor& input : twin->tensors().inputs) REQUIRE(input.varies == 0);
        const BucketKey& id = lease.bucket->id;
        content_.draw(twin->tensors(), {id.bs, id.tokens}, {lease.bs, lease.tokens},
                      config(*lease.bucket).kind == CaptureKind::packed);
        content_.write(*device_, *twin, upload_.id());
        content_.stage(*session_, lease);
        session_->launch(lease);
        session_->synchronize();
        twin->forward();
        return compare(lease, *twin);
    }

    /// The real rows of all outputs as they are now.
    Content outputs(const Lease& lease) {
        Content all;
        for (std::size_t i = 0; i < session_->tensors(lease).outputs.size(); ++i) {
            const Content one = read(session_->view(lease, i));
            all.insert(all.end(), one.begin(), one.end());
        }
        return all;
    }

    std::size_t dropped = 0;
    std::size_t pairs = 0, differing = 0;  ///< steps run twice on other inputs; those whose outputs differ
    std::set<std::pair<std::string, std::int64_t>> slots_seen;

  private:
    // A session warms up each slot, which moves random states on.
    void warm_up_alike() {
        eager_->claim();
        for (const BucketSpec& spec : eager_->buckets()) {
            for (std::int64_t slot = 0; slot < spec.slots; ++slot) {
                const std::unique_ptr<PreparedSlot> prepared = eager_->prepare(spec, slot);
                for (int i = 0; i < ReplayOptions{}.warmup_forwards; ++i) prepared->forward();
            }
        }
    }

    static BucketSpec like(const TwinStep& step, const Lease& lease) {
        BucketSpec like = *lease.bucket;
        like.id.walk = step.walk;
        return like;
    }

    Content read(const TensorView& view) {
        Content content(static_cast<std::size_t>(view.bytes()));
        device_->download(content.data(), view.address, view.bytes(), upload_.id());
        return content;
    }

    Content compare(const Lease& lease, PreparedSlot& twin) {
        Content all;
        const std::vector<NamedTensor>& outputs = twin.tensors().outputs;
        REQUIRE(outputs.size() == session_->tensors(lease).outputs.size());
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            CAPTURE(outputs[i].name);
            TensorView real = session_->view(lease, i);
            const Content replayed = read(real);
            const OwnedTensor copy = session_->copy(lease, i);
            session_->synchronize();
            CHECK(read(copy.view) == replayed);
            CHECK(outputs[i].view.bytes() >= real.bytes());
            real.address = outputs[i].view.address;
            CHECK(read(real) == replayed);
            all.insert(all.end(), replayed.begin(), replayed.end());
        }
        return all;
    }

    std::unique_ptr<Device> device_;
    Buckets buckets_;
    std::unique_ptr<Engine> replayed_, eager_;
    std::unique_ptr<ReplaySession> session_;
    Stream upload_;
    cli::StepContent content_{3};
};

}  // namespace graphplan::conformance
