// Small models and buckets from their JSON, and engines over a simulated GPU.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/forwards.hpp"
#include "engine/throwaway_pool.hpp"
#include "graphplan/documents.hpp"
#include "graphplan/engine.hpp"
#include "graphplan/sim.hpp"

namespace graphplan::engine {

/// A model of one node "n" with one walk "w", in JSON but for what a test changes.
struct ModelText {
    std::string program;
    std::string outputs = R"(["y"])";
    std::string inputs = R"({"x": {"dtype": "f32", "shape": ["tokens", 8]}})";
    std::string resources = "{}";
    std::string regions = "{}";
    std::string dims = R"({"width": 8})";
    std::string dtype = "f32";

    std::string walk() const {
        return R"({"inputs": )" + inputs + R"(, "program": [)" + program + R"(], "outputs": )" + outputs +
               "}";
    }
};

/// Two products that need the library's workspace, and a cast.
inline ModelText dense() {
    ModelText text{R"({"repeat": 2, "program": [{"op": "linear", "x": "x", "features": 4096, "out": "h"},
                                                {"op": "linear", "x": "h", "features": "width", "out": "x"}]},
                      {"op": "cast", "x": "x", "dtype": "f32", "out": "y"})"};
    text.dims = R"({"width": 1024})";
    text.inputs = R"({"x": {"dtype": "bf16", "shape": ["tokens", "width"]}})";
    text.dtype = "bf16";
    return text;
}

inline Model make_model(const ModelText& text) {
    const std::string json =
        R"({"schema": "graphplan.model", "schema_version": "1.0", "name": "m", "dtype": ")" + text.dtype +
        R"(", "dims": )" + text.dims + R"(, "nodes": [{"name": "n", "resources": )" + text.resources +
        R"(, "walks": {"w": )" + text.walk() + R"(}, "regions": )" + text.regions + "}]}";
    return parse_model({"model.json", json, ""}, {});
}

inline Buckets make_buckets(const std::string& captures) {
    const std::string json =
        R"({"schema": "graphplan.buckets", "schema_version": "1.0", "captures": [)" + captures + "]}";
    return parse_buckets({"buckets.json", json, ""}, {});
}

/// Walk "w" of node "n", one token a row.
inline Buckets decode_buckets(const std::string& batch_sizes) {
    return make_buckets(R"({"node": "n", "walk": "w", "kind": "batched", "batch_sizes": )" + batch_sizes +
                        "}");
}

inline LoweredProgram lower_walk(const Model& model, const BucketShape& shape, WeightTable& weights) {
    const Node& node = model.nodes.at(0);
    return lower(model, {&node, &node.walks.at(0).second, node.walks.at(0).first, false}, shape, weights);
}

inline LoweredProgram lower_walk(const Model& model, const BucketShape& shape) {
    WeightTable weights;
    return lower_walk(model, shape, weights);
}

/// The message of the Error that `run` throws, "" if it throws none.
template <typename Run>
std::string message_of(Run&& run) {
    try {
        run();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

inline std::unique_ptr<Device> make_device(std::vector<Fault> faults = {}) {
    SimOptions options;
    options.profile = sim_profile("h200");
    return with_faults(make_sim_device(options), std::move(faults));
}

/// An engine over a device of its own, claimed.
struct Rig {
    explicit Rig(const Model& model, const Buckets& buckets, std::vector<Fault> faults = {},
                 const EngineOptions& options = {})
        : device(make_device(std::move(faults))), engine(make_interpreter(*device, model, buckets, options)) {
        engine->claim();
    }
    std::unique_ptr<Device> device;
    std::unique_ptr<Engine> engine;
};

/// A capture into a pool of its own, thrown away.
inline EventTrace throw_away(Engine& engine, PreparedSlot& slot) {
    const ThrowawayPool pool(engine);
    return slot.capture(pool.id()).trace;
}

}  // namespace graphplan::engine
