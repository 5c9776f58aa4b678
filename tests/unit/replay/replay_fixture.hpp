// A small served model, sized and planned on one simulated GPU, captured and replayed on another.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/planner.hpp"
#include "graphplan/replay.hpp"
#include "graphplan/sim.hpp"
#include "graphplan/sizing.hpp"

namespace graphplan {

/// Node "llm": decode over a cache that draws its tokens, an alias of it, packed prefill and a region.
inline Model served_model() {
    static const std::string attention =
        R"({"op": "embedding", "x": "ids", "features": "hidden", "rows": "vocab", "out": "h"},
           {"op": "reshape", "x": "h", "shape": ["tokens", "heads", "head_dim"], "out": "q"},)";
    const std::string decode = R"({"inputs": {"ids": {"dtype": "i32", "shape": ["tokens"]},
        "positions": {"dtype": "i32", "shape": ["tokens"]}}, "program": [)" +
                               attention + R"(
        {"op": "paged_attention", "q": "q", "k": "q", "v": "q", "kv": "kv", "positions": "positions", "out": "a"},
        {"op": "reshape", "x": "a", "shape": ["tokens", "hidden"], "out": "a"},
        {"op": "linear", "x": "a", "features": "vocab", "out": "logits"},
        {"op": "sample", "x": "logits", "method": "top_k", "top_k": 4, "rng": "rng", "out": "next"}],
        "outputs": ["logits", "next"]})";
    const std::string prefill =
        R"({"inputs": {"ids": {"dtype": "i32", "shape": ["tokens"]}}, "program": [)" + attention + R"(
        {"op": "causal_attention", "q": "q", "k": "q", "v": "q", "kv": "kv", "out": "a"},
        {"op": "reshape", "x": "a", "shape": ["tokens", "hidden"], "out": "a"},
        {"op": "last_rows", "x": "a", "out": "a"},
        {"op": "linear", "x": "a", "features": "vocab", "out": "logits"}], "outputs": ["logits"]})";
    const std::string vit =
        R"({"inputs": {"x": {"dtype": "bf16", "shape": ["tokens", "hidden"]}}, "program": [
        {"op": "linear", "x": "x", "features": "hidden", "out": "y"},
        {"op": "gelu", "x": "y", "out": "y"}], "outputs": ["y"]})";
    const std::string json =
        R"({"schema": "graphplan.model", "schema_version": "1.0", "name": "served", "dtype": "bf16",
            "dims": {"hidden": 64, "vocab": 256, "heads": 4, "head_dim": 16}, "nodes": [{"name": "llm",
            "resources": {"kv": {"kind": "paged_kv", "layers": 1, "kv_heads": "heads", "head_dim": "head_dim",
                                 "page_tokens": 16, "pages": 64}, "rng": {"kind": "philox"}},
            "walks": {"decode": )" +
        decode + R"(, "draft": )" + decode + R"(, "prefill": )" + prefill + R"(}, "regions": {"vit": )" +
        vit + "}}]}";
    return parse_model({"model.json", json, ""}, {});
}

inline Buckets read_buckets(const std::string& captures) {
    return parse_buckets(
        {"buckets.json",
         R"({"schema": "graphplan.buckets", "schema_version": "1.0", "captures": [)" + captures + "]}", ""},
        {});
}

inline Buckets served_buckets() {
    return read_buckets(
        R"({"node": "llm", "walk": "decode", "kind": "batched", "batch_sizes": [1, 2, 4, 8], "slots": 2,
            "replay_walks": ["decode", "draft"]},
           {"node": "llm", "walk": "decode", "key": "cfg", "kind": "batched", "batch_sizes": [2, 4],
            "tokens_multiplier": 2, "caps_eager_batch_size": false},
           {"node": "llm", "walk": "prefill", "kind": "packed", "batch_sizes": [1, 4],
            "token_lengths": [32, 64]},
           {"node": "llm", "region": "vit", "kind": "batched", "tokens_per_request": 4,
            "batch_sizes": [1, 2, 4]})");
}

inline std::unique_ptr<Device> sim_device(const std::vector<std::string>& faults = {}) {
    SimOptions options;
    options.profile = sim_profile("h200");
    if (faults.empty()) return make_sim_device(options);
    std::vector<Fault> script;
    script.reserve(faults.size());
    for (const std::string& fault : faults) script.push_back(parse_fault(fault));
    return with_faults(make_sim_device(options), std::move(script));
}

/// What a process of its own would measure, every bucket captured.
inline Costs sized(const Model& model, const Buckets& buckets, bool share_weights) {
    const std::unique_ptr<Device> device = sim_device();
    EngineOptions engine_options;
    engine_options.share_weights = share_weights;
    const std::unique_ptr<Engine> engine = make_interpreter(*device, model, buckets, engine_options);
    SizingOptions sizing;
    sizing.size_by = SizedBy::capture;
    return Sizing(*engine, sizing).run();
}

/// What a process of its own would plan.
inline Plan planned(const Model& model, const Buckets& buckets, Bytes free_bytes = 100 * kGiB,
                    bool share_weights = false) {
    const Costs costs = sized(model, buckets, share_weights);
    PlanOptions options;
    options.free_bytes = free_bytes;
    return make_plan(std::span(&costs, 1), options).plan;
}

inline const Plan& served_plan() {
    static const Plan plan = planned(served_model(), served_buckets());
    return plan;
}

/// The same, with outputs that the graphs of a walk and key share.
inline Plan sharing(Plan plan) {
    plan.outputs = Outputs::shared;
    return plan;
}

inline Model sample_model(const std::string& sample) {
    return parse_model(read_text(GRAPHPLAN_SOURCE_DIR "/samples/" + sample + "/model.json"), {true, {}});
}

inline Buckets sample_buckets(const std::string& sample) {
    return parse_buckets(read_text(GRAPHPLAN_SOURCE_DIR "/samples/" + sample + "/buckets.json"), {true, {}});
}

/// A process that serves: device, engine and session.
struct Served {
    explicit Served(const std::vector<std::string>& faults = {}, ReplayOptions options = {},
                    const Plan& plan = served_plan(), const Buckets& asked = served_buckets())
        : device(sim_device(faults)), buckets(asked) {
        engine = make_interpreter(*device, served_model(), buckets, {});
        options.log = [this](LogLevel level, std::string_view text) {
            if (level == LogLevel::warning) warnings += std::string(text) + "\n";
        };
        session = std::make_unique<ReplaySession>(*engine, buckets, plan, std::move(options));
    }

    /// All of a step but its lease.
    void run(const Lease& lease) {
        session->stage(lease, {});
        session->launch(lease);
        session->release(lease);
    }

    std::unique_ptr<Device> device;
    Buckets buckets;
    std::unique_ptr<Engine> engine;
    std::string warnings;
    std::unique_ptr<ReplaySession> session;
};

inline StepShape step(std::string_view walk, std::int64_t bs, std::int64_t tokens,
                      std::optional<std::string_view> key = {}) {
    return {"llm", walk, key, bs, tokens};
}

template <typename Run>
std::string message_of(Run&& run, std::optional<ErrorCode> code = {}) {
    try {
        run();
    } catch (const Error& error) {
        if (code) CHECK(to_string(error.code()) == to_string(*code));
        return error.what();
    }
    return "";
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace graphplan
