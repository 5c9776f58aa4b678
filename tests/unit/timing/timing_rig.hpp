// A simulated device that keeps a record of its calls: what is timed, and how often, is seen by it.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/timing.hpp"
#include "sim/sim_device.hpp"

namespace graphplan {

inline SimOptions h200(bool captures = true) {
    SimOptions options;
    options.profile = sim_profile("h200");
    options.captures_graphs = captures;
    return options;
}

class Recorder final : public sim::SimDevice {
  public:
    using SimDevice::SimDevice;
    int launches = 0, instantiated = 0, fills = 0, events = 0;
    std::int64_t nodes = 0;
    std::map<Address, std::vector<std::uint64_t>> random_offsets;  ///< by state, as written for each forward

    std::uint64_t create_event() override {
        ++events;
        return SimDevice::create_event();
    }
    std::uint64_t instantiate(std::uint64_t graph) override {
        nodes = count_nodes(graph).total();
        ++instantiated;
        return SimDevice::instantiate(graph);
    }
    void launch(std::uint64_t executable, std::uint64_t stream) override {
        ++launches;
        SimDevice::launch(executable, stream);
    }
    void fill(Address to, int byte, Bytes bytes, std::uint64_t stream) override {
        if (bytes >= 2 * capabilities().l2_bytes) ++fills;
        SimDevice::fill(to, byte, bytes, stream);
    }
    void upload(Address to, const void* from, Bytes bytes, std::uint64_t stream) override {
        std::array<std::uint64_t, 2> state{};
        if (bytes == sizeof(state)) {
            std::memcpy(state.data(), from, sizeof(state));
            random_offsets[to].push_back(state[1]);
        }
        SimDevice::upload(to, from, bytes, stream);
    }
};

inline Model sampling_model() {
    return parse_model({"model.json", R"({"schema": "graphplan.model", "schema_version": "1.0", "name": "m",
        "dtype": "bf16", "dims": {"hidden": 64, "vocab": 128}, "nodes": [{"name": "llm",
        "resources": {"rng": {"kind": "philox"}, "stuck": {"kind": "philox", "can_capture": false}},
        "walks": {"decode": {"inputs": {"ids": {"dtype": "i32", "shape": ["tokens"]}}, "program": [
          {"op": "embedding", "x": "ids", "features": "hidden", "rows": "vocab", "out": "h"},
          {"op": "linear", "x": "h", "features": "vocab", "out": "logits"},
          {"op": "sample", "x": "logits", "method": "top_k", "top_k": 4, "rng": "rng", "out": "next"}],
          "outputs": ["next"]},
         "stuck": {"inputs": {"ids": {"dtype": "i32", "shape": ["tokens"]}}, "program": [
          {"op": "embedding", "x": "ids", "features": "vocab", "rows": "vocab", "out": "h"},
          {"op": "sample", "x": "h", "method": "top_k", "top_k": 4, "rng": "stuck", "out": "next"}],
          "outputs": ["next"]}},
        "regions": {"vit": {"inputs": {"x": {"dtype": "bf16", "shape": ["tokens", "hidden"]}}, "program": [
          {"op": "linear", "x": "x", "features": "hidden", "out": "y"}], "outputs": ["y"]}}}]})",
                        ""},
                       {});
}

inline Buckets sampling_buckets() {
    return parse_buckets(
        {"buckets.json", R"({"schema": "graphplan.buckets", "schema_version": "1.0", "captures": [
        {"node": "llm", "walk": "decode", "kind": "batched", "batch_sizes": [4, 8]},
        {"node": "llm", "walk": "decode", "key": "no", "kind": "batched", "batch_sizes": [2], "capture": "deny"},
        {"node": "llm", "walk": "stuck", "kind": "batched", "batch_sizes": [2]},
        {"node": "llm", "region": "vit", "kind": "batched", "tokens_per_request": 4, "batch_sizes": [2]}]})",
         ""},
        {});
}

/// An engine, claimed, over a device that keeps a record, behind a script of faults.
struct Rig {
    explicit Rig(const std::vector<std::string>& faults = {}, bool captures = true) {
        auto recorder = std::make_unique<Recorder>(h200(captures));
        device = recorder.get();
        owner = std::move(recorder);
        std::vector<Fault> script;
        for (const std::string& fault : faults) script.push_back(parse_fault(fault));
        if (!script.empty()) owner = with_faults(std::move(owner), script);
        engine = make_interpreter(*owner, sampling_model(), sampling_buckets(), {});
        engine->claim();
    }
    const BucketSpec& bucket(const std::string& walk, std::int64_t bs) const {
        return *std::find_if(engine->buckets().begin(), engine->buckets().end(), [&](const BucketSpec& spec) {
            return spec.id.walk == walk && spec.id.bs == bs;
        });
    }
    BucketTiming time(const std::string& walk, std::int64_t bs, const TimingOptions& options = {}) {
        return time_bucket(*engine, bucket(walk, bs), options);
    }
    Bytes taken() { return owner->memory().used_by_process.value_or(0); }

    Recorder* device = nullptr;
    std::unique_ptr<Device> owner;
    std::unique_ptr<Engine> engine;
};

// Forwards write the random state once each, so that they can be counted.
inline std::size_t forwards(const Rig& rig) {
    return rig.device->random_offsets.empty() ? 0 : rig.device->random_offsets.begin()->second.size();
}

}  // namespace graphplan
