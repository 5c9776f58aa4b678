// Two engines over one device, alike: what one replays the other runs eagerly, step by step, from the same
// inputs, pages and random states. Both begin from the same random weights.
#pragma once

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

#include "../unit/replay/replay_fixture.hpp"
#include "bench.hpp"

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
        const std::vector<std::int64_t> lengths = draw_lengths(lease);
        const std::unique_ptr<PreparedSlot> twin = eager_->prepare_eager(like(step, lease));
        prepare(lease, *twin, lengths);
        stage(lease, *twin, lengths);
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

    std::vector<std::int64_t> draw_lengths(const Lease& lease) {
        if (!session_->tensors(lease).row_offsets) return {};
        std::vector<std::int64_t> lengths(static_cast<std::size_t>(lease.bs), 1);
        for (std::int64_t i = lease.bs; i < lease.tokens; ++i) {
            ++lengths[random_() % lengths.size()];
        }
        return lengths;
    }

    // Pages of a request's own for each real row; rows that pad share the sink.
    void prepare(const Lease& lease, PreparedSlot& twin, const std::vector<std::int64_t>& lengths) {
        for (std::size_t t = 0; t < twin.tensors().page_tables.size(); ++t) {
            const NamedTensor& table = twin.tensors().page_tables[t];
            const std::int64_t rows = lengths.empty() ? lease.tokens : lease.bs;
            const std::int64_t longest =
                lengths.empty() ? 1 : *std::max_element(lengths.begin(), lengths.end());
            const auto each = static_cast<std::int32_t>((longest + 15) / 16);
            std::vector<std::vector<std::int32_t>> pages;
            std::vector<PageRow> written;
            for (std::int64_t row = 0; row < rows; ++row) {
                std::vector<std::int32_t>& own = pages.emplace_back();
                for (std::int32_t i = 0; i < each; ++i)
                    own.push_back(1 + static_cast<std::int32_t>(row) * each + i);
            }
            for (std::int64_t row = 0; row < rows; ++row) {
                const std::vector<std::int32_t>& own = pages[static_cast<std::size_t>(row)];
                written.push_back({row, 0, own});
                device_->upload(table.view.address + static_cast<Address>(row * table.view.shape[1] * 4),
                                own.data(), static_cast<Bytes>(own.size() * 4), upload_.id());
            }
            session_->prepare(lease, table.name, written);
        }
        if (!lengths.empty()) twin.set_row_lengths(lengths);
    }

    std::int64_t real_count(const NamedTensor& input, const Lease& lease) const {
        const std::int64_t whole = input.view.shape[input.varies];
        if (whole == lease.bucket->id.tokens) return lease.tokens;
        return whole == lease.bucket->id.bs ? lease.bs : whole;
    }

    Content draw(const NamedTensor& input) {
        Content content(static_cast<std::size_t>(input.view.bytes()));
        const auto size = static_cast<std::size_t>(size_of(input.view.dtype));
        for (std::size_t at = 0; at < content.size(); at += size) {
            const auto number = static_cast<std::int32_t>(random_() % (input.name == "positions" ? 16 : 100));
            const float value = static_cast<float>(number - 50) / 50;
            const bool whole = input.view.dtype == DType::i32 || input.view.dtype == DType::i64;
            unsigned char bytes[8] = {};
            std::memcpy(bytes, whole ? static_cast<const void*>(&number) : &value, 4);
            // bf16 is the upper half of a float.
            std::memcpy(&content[at], input.view.dtype == DType::bf16 ? bytes + 2 : bytes, size);
        }
        return content;
    }

    void stage(const Lease& lease, PreparedSlot& twin, const std::vector<std::int64_t>& lengths) {
        std::vector<Content> contents;
        std::vector<StagedInput> staged;
        for (const NamedTensor& input : twin.tensors().inputs) {
            REQUIRE(input.varies == 0);  // so that a prefix of the bytes is a prefix of the rows
            contents.push_back(draw(input));
            const std::int64_t count = real_count(input, lease);
            const Bytes bytes = input.view.bytes() / input.view.shape[0] * count;
            device_->upload(input.view.address, contents.back().data(), bytes, upload_.id());
            staged.push_back({input.name, count, 0, contents.back().data()});
        }
        device_->synchronize(upload_.id());
        session_->stage(lease, staged, lengths);
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
    std::mt19937_64 random_{3};
};

}  // namespace graphplan::conformance
