#include "engine/forwards.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "engine/sample_shapes.hpp"

namespace graphplan::engine {
namespace {

[[noreturn]] void unknown(const Buckets& buckets, const std::string& pointer, std::string_view kind,
                          std::string_view name, const std::vector<std::string>& names,
                          std::string_view where) {
    throw Error(ErrorCode::invalid_document,
                fmt::format("{}: {}: {} has no {} {}; it has {}.{}", buckets.source, pointer, where, kind,
                            quoted(name), names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                            suggestion(name, names)));
}

const Node& find_node(const Model& model, const Buckets& buckets, const CaptureConfig& config) {
    std::vector<std::string> names;
    for (const Node& node : model.nodes) {
        if (node.name == config.node) return node;
        names.push_back(node.name);
    }
    unknown(buckets, config.pointer + "/node", "node", config.node, names,
            fmt::format("model {}", quoted(model.name)));
}

}  // namespace

std::vector<ForwardRef> forwards_of(const Node& node) {
    std::vector<ForwardRef> forwards;
    for (const auto& [name, walk] : node.walks) forwards.push_back({&node, &walk, name, false});
    for (const auto& [name, region] : node.regions) forwards.push_back({&node, &region, name, true});
    return forwards;
}

ForwardRef find_forward(const Model& model, const Buckets& buckets, const CaptureConfig& config) {
    const char* const kind = config.is_region ? "region" : "walk";
    return find_forward(model, buckets, config, config.walk, fmt::format("{}/{}", config.pointer, kind));
}

ForwardRef find_forward(const Model& model, const Buckets& buckets, const CaptureConfig& config,
                        std::string_view name, const std::string& pointer) {
    const Node& node = find_node(model, buckets, config);
    std::vector<std::string> names;
    for (const ForwardRef& forward : forwards_of(node)) {
        if (forward.is_region != config.is_region) continue;
        if (forward.name == name) return forward;
        names.emplace_back(forward.name);
    }
    unknown(buckets, pointer, config.is_region ? "region" : "walk", name, names,
            fmt::format("node {}", quoted(node.name)));
}

LoweredProgram lower_at_some_shape(const Model& model, const ForwardRef& forward, WeightTable& weights) {
    std::optional<Error> first;
    for (const BucketShape& shape : sample_shapes(model, *forward.forward)) {
        try {
            WeightTable tried = weights;
            LoweredProgram program = lower(model, forward, shape, tried);
            weights = std::move(tried);
            return program;
        } catch (const Error& error) {
            if (!first) first = error;
        }
    }
    throw *first;
}

}  // namespace graphplan::engine
