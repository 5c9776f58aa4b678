#include "engine/bucket_specs.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace graphplan::engine {
namespace {

void add(const Buckets& buckets, const std::function<bool(const CaptureConfig&)>& wanted,
         std::vector<BucketSpec>& specs) {
    std::vector<BucketSpec> found;
    for (std::size_t index = 0; index < buckets.captures.size(); ++index) {
        const CaptureConfig& config = buckets.captures[index];
        if (!wanted(config)) continue;
        for (const BucketShape& shape : shapes_of(config)) {
            BucketSpec& spec = found.emplace_back();
            spec.capture = index;
            spec.pool = config.node;
            spec.id = {config.walk, config.key, shape.bs, shape.tokens};
            spec.is_region = config.is_region;
            spec.slots = config.slots;
            spec.denied = config.denied;
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const BucketSpec& a, const BucketSpec& b) {
        return std::tie(a.id.bs, a.id.tokens) > std::tie(b.id.bs, b.id.tokens);
    });
    specs.insert(specs.end(), found.begin(), found.end());
}

}  // namespace

std::vector<BucketSpec> bucket_specs(const Model& model, const Buckets& buckets) {
    std::vector<BucketSpec> specs;
    for (const Node& node : model.nodes) {
        const auto of_node = [&](const CaptureConfig& config) { return config.node == node.name; };
        add(
            buckets, [&](const CaptureConfig& c) { return of_node(c) && !c.is_region; }, specs);
        std::vector<std::string> regions;
        for (const CaptureConfig& config : buckets.captures) {
            if (!of_node(config) || !config.is_region) continue;
            if (std::find(regions.begin(), regions.end(), config.walk) != regions.end()) continue;
            regions.push_back(config.walk);
            add(
                buckets,
                [&](const CaptureConfig& c) { return of_node(c) && c.is_region && c.walk == config.walk; },
                specs);
        }
    }
    return specs;
}

bool captures(const Buckets& buckets, const ForwardRef& forward) noexcept {
    return std::any_of(buckets.captures.begin(), buckets.captures.end(), [&](const CaptureConfig& config) {
        return config.node == forward.node->name && config.is_region == forward.is_region &&
               config.walk == forward.name;
    });
}

}  // namespace graphplan::engine
