#include "replay_run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "step_content.hpp"

namespace graphplan::cli {
namespace {

StepShape shape_of(const ArrivingStep& step) {
    std::optional<std::string_view> key;
    if (step.shape.key) key = *step.shape.key;
    return {step.pool, step.shape.walk, key, step.shape.bs, step.shape.tokens};
}

class Driver {
  public:
    Driver(Serving& serving, std::uint64_t seed)
        : session_(*serving.session),
          device_(*serving.device),
          buckets_(serving.inputs.buckets),
          content_(seed),
          start_(device_, device_.create_event()),
          end_(device_, device_.create_event()) {}

    void run(const ArrivingStep& step) {
        try {
            run_step(step);
        } catch (const Error& error) {
            throw Error(error.code(),
                        fmt::format("the step {}: {}: {}", step.pool, to_string(step.shape), error.what()),
                        error.device_code());
        }
    }

    ReplayRun take() { return std::move(run_); }

  private:
    void run_step(const ArrivingStep& step) {
        const std::optional<Lease> lease = session_.lease(shape_of(step));
        if (!lease) {
            run_.eager_us.us.push_back(eager(step));
            return;
        }
        const double us = replay(*lease);
        BucketUse& use = use_of(*lease);
        use.replay_us.us.push_back(us);
        use.real_tokens += lease->tokens;
        use.tokens += lease->bucket->id.tokens;
        run_.replay_us.us.push_back(us);
        run_.replaced_us.us.push_back(eager_once(step));
        run_.real_tokens += lease->tokens;
        run_.tokens += lease->bucket->id.tokens;
    }

    double replay(const Lease& lease) {
        const BucketKey& id = lease.bucket->id;
        content_.draw(session_.tensors(lease), {id.bs, id.tokens}, {lease.bs, lease.tokens},
                      is_packed(buckets_.captures.at(lease.bucket->capture)));
        content_.stage(session_, lease);
        session_.synchronize();
        device_.record(start_.id(), session_.stream());
        session_.launch(lease);
        device_.record(end_.id(), session_.stream());
        session_.synchronize();
        session_.release(lease);
        return device_.elapsed_us(start_.id(), end_.id());
    }

    // The second forward: the first of a shape may still tune and load.
    double eager(const ArrivingStep& step) {
        const std::unique_ptr<PreparedSlot> slot = session_.eager(shape_of(step));
        const CaptureConfig& config = config_of(step);
        const BucketShape shape{step.shape.bs, step.shape.tokens * config.tokens_multiplier};
        content_.draw(slot->tensors(), shape, shape, is_packed(config));
        content_.write(device_, *slot, session_.stream());
        slot->forward();
        return slot->forward().device_us;
    }

    double eager_once(const ArrivingStep& step) {
        const auto known = eager_.find(step);
        return known != eager_.end() ? known->second : eager_.emplace(step, eager(step)).first->second;
    }

    static bool is_packed(const CaptureConfig& config) { return config.kind == CaptureKind::packed; }

    // The one that a session runs a step by where no bucket serves it; there is one, or it had thrown.
    const CaptureConfig& config_of(const ArrivingStep& step) const {
        const auto runs = [&](const CaptureConfig& config) {
            return config.node == step.pool && config.key == step.shape.key &&
                   replays(config, step.shape.walk);
        };
        return *std::find_if(buckets_.captures.begin(), buckets_.captures.end(), runs);
    }

    BucketUse& use_of(const Lease& lease) {
        for (BucketUse& use : run_.buckets) {
            if (use.pool == lease.bucket->pool && use.id == lease.bucket->id) return use;
        }
        return run_.buckets.emplace_back(BucketUse{lease.bucket->pool, lease.bucket->id, {}, 0, 0});
    }

    ReplaySession& session_;
    Device& device_;
    const Buckets& buckets_;
    StepContent content_;
    Event start_, end_;
    ReplayRun run_;
    std::map<ArrivingStep, double> eager_;  ///< how long shapes take eagerly
};

}  // namespace

double Latencies::total() const { return std::accumulate(us.begin(), us.end(), 0.0); }

double Latencies::quantile(double share) const {
    std::vector<double> sorted = us;
    std::sort(sorted.begin(), sorted.end());
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

double ReplayRun::hit_rate() const {
    return steps() == 0 ? 0 : static_cast<double>(replay_us.us.size()) / static_cast<double>(steps());
}

double ReplayRun::padding_waste() const {
    return tokens == 0 ? 0 : 1 - static_cast<double>(real_tokens) / static_cast<double>(tokens);
}

ReplayRun run_steps(Serving& serving, TrafficSource& traffic, std::int64_t steps, std::uint64_t seed,
                    const std::stop_token& stop) {
    Driver driver(serving, seed);
    for (std::int64_t i = 0; i < steps; ++i) {
        if (i > 0 && stop.stop_requested()) break;
        driver.run(traffic.next());
    }
    ReplayRun run = driver.take();
    run.steps_left = steps - static_cast<std::int64_t>(run.steps());
    return run;
}

}  // namespace graphplan::cli
