#include "engine/forwards.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"

namespace graphplan::engine {
namespace {

[[noreturn]] void unknown(const Buckets& buckets, const CaptureConfig& config, std::string_view kind,
                          std::string_view name, const std::vector<std::string>& names,
                          std::string_view where) {
    throw Error(
        ErrorCode::invalid_document,
        fmt::format("{}: {}/{}: {} has no {} {}; it has {}.{}", buckets.source, config.pointer, kind, where,
                    kind, quoted(name), names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                    suggestion(name, names)));
}

const Node& find_node(const Model& model, const Buckets& buckets, const CaptureConfig& config) {
    std::vector<std::string> names;
    for (const Node& node : model.nodes) {
        if (node.name == config.node) return node;
        names.push_back(node.name);
    }
    unknown(buckets, config, "node", config.node, names, fmt::format("model {}", quoted(model.name)));
}

// Highly composite, so that most divisions in shape expressions are exact.
constexpr std::int64_t kManyTokens = 80'640;

std::vector<BucketShape> shapes_to_try(const Model& model) {
    constexpr std::int64_t rows = 2;
    std::vector<std::int64_t> tokens{1, kManyTokens};
    for (const auto& [name, value] : model.dims) {
        if (value >= 1 && value <= kManyTokens * rows) tokens.push_back(value);
    }
    constexpr std::size_t most = 64;
    std::vector<BucketShape> shapes;
    for (const std::int64_t each : tokens) {
        if (shapes.size() == most) break;
        const BucketShape shape{rows, rows * each};
        if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) shapes.push_back(shape);
    }
    return shapes;
}

}  // namespace

std::vector<ForwardRef> forwards_of(const Node& node) {
    std::vector<ForwardRef> forwards;
    for (const auto& [name, walk] : node.walks) forwards.push_back({&node, &walk, name, false});
    for (const auto& [name, region] : node.regions) forwards.push_back({&node, &region, name, true});
    return forwards;
}

ForwardRef find_forward(const Model& model, const Buckets& buckets, const CaptureConfig& config) {
    const Node& node = find_node(model, buckets, config);
    std::vector<std::string> names;
    for (const ForwardRef& forward : forwards_of(node)) {
        if (forward.is_region != config.is_region) continue;
        if (forward.name == config.walk) return forward;
        names.emplace_back(forward.name);
    }
    unknown(buckets, config, config.is_region ? "region" : "walk", config.walk, names,
            fmt::format("node {}", quoted(node.name)));
}

LoweredProgram lower_at_some_shape(const Model& model, const ForwardRef& forward, WeightTable& weights) {
    std::optional<Error> first;
    for (const BucketShape& shape : shapes_to_try(model)) {
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
