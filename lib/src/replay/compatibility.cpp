#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "graphplan/replay.hpp"
#include "planner/change_list.hpp"
#include "replay/capturing.hpp"

namespace graphplan {
namespace {

class Comparison {
  public:
    /// One fact; nothing where the plan doesn't say it.
    void fact(std::string_view where, std::string_view what, const std::string& planned,
              const std::string& here) {
        if (planned.empty() || planned == here) return;
        add(Change::Kind::environment, where, what, planned, here);
    }
    void add(Change::Kind kind, std::string_view where, std::string_view what, const std::string& planned,
             const std::string& here) {
        difference.changes.push_back(
            {kind, std::string(where), std::string(what), planned, here, std::nullopt, std::nullopt, true});
    }

    Difference difference;
};

void compare_device(Comparison& comparison, const Provenance& plan, const Capabilities& here) {
    comparison.fact("device", "backend", plan.backend, here.backend);
    comparison.fact("device", "device", plan.device, here.name);
    if (plan.device_total_bytes) {
        comparison.fact("device", "device_total_bytes", std::to_string(*plan.device_total_bytes),
                        std::to_string(here.total_bytes));
    }
    comparison.fact("device", "driver", plan.driver, here.driver);
    if (!plan.framework.empty()) return;  // its libraries are not this library's
    for (const auto& [name, version] : plan.libraries) {
        const auto found = here.libraries.find(name);
        comparison.fact("device", name, version, found == here.libraries.end() ? "" : found->second);
    }
}

void compare_allocators(Comparison& comparison, const AllocatorOptions& plan, const AllocatorOptions& here) {
    ChangeList changes;
    changes.compare_allocators(plan, here);
    for (Change& change : changes.take().changes) {
        for (std::string* text : {&change.before, &change.after}) {
            if (text->empty()) *text = "none";
        }
        comparison.difference.changes.push_back(std::move(change));
    }
}

void compare_documents(Comparison& comparison, const Provenance& plan,
                       const std::map<std::string, std::string>& here) {
    for (const auto& [document, digest] : here) {
        const auto planned = plan.input_sha256.find(document);
        if (planned == plan.input_sha256.end()) continue;
        comparison.fact("documents", document + "_sha256", planned->second, digest);
    }
}

void compare_capture(Comparison& comparison, const std::string& pool, const PlannedCapture& capture,
                     const Engine& engine) {
    const std::string where = replay::label_of(pool, capture.id);
    const auto is_it = [&](const BucketSpec& spec) {
        return spec.pool == pool && replay::means(capture.id, capture.region, spec);
    };
    const auto found = std::find_if(engine.buckets().begin(), engine.buckets().end(), is_it);
    if (found == engine.buckets().end()) {
        comparison.add(Change::Kind::removed, where, "bucket", "planned", "");
    } else if (found->slots != capture.slots) {
        comparison.add(Change::Kind::bytes, where, "slots", std::to_string(capture.slots),
                       std::to_string(found->slots));
    }
}

// A bucket that the plan knows nothing of was added since.
void compare_bucket(Comparison& comparison, const BucketSpec& spec, const Plan& plan) {
    for (const PoolPlan& pool : plan.pools) {
        if (pool.name != spec.pool) continue;
        const auto is_it = [&](const auto& known) { return replay::means(known.id, known.region, spec); };
        if (std::any_of(pool.captures.begin(), pool.captures.end(), is_it)) return;
        if (std::any_of(pool.eager.begin(), pool.eager.end(), is_it)) return;
    }
    comparison.add(Change::Kind::added, replay::label_of(spec.pool, spec.id), "bucket", "", "not planned");
}

}  // namespace

Difference compare(const Plan& plan, Engine& engine, const std::map<std::string, std::string>& input_sha256) {
    Comparison comparison;
    compare_device(comparison, plan.provenance, engine.device().capabilities());
    if (plan.allocator) compare_allocators(comparison, *plan.allocator, engine.allocator().options());
    compare_documents(comparison, plan.provenance, input_sha256);
    for (const PoolPlan& pool : plan.pools) {
        for (const PlannedCapture& capture : pool.captures) {
            compare_capture(comparison, pool.name, capture, engine);
        }
    }
    for (const BucketSpec& spec : engine.buckets()) compare_bucket(comparison, spec, plan);
    return std::move(comparison.difference);
}

}  // namespace graphplan
