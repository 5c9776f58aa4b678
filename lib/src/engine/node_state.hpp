// Everything that a node holds on the device.
#pragma once

#include <cstdint>

#include "engine/forwards.hpp"
#include "engine/node_resources.hpp"
#include "engine/weight_memory.hpp"

namespace graphplan::engine {

struct NodeState {
    NodeState(const Model& model, const Node& its, std::uint64_t seed)
        : node(&its), resources(model, its, seed) {}

    const Node* node;
    WeightTable weights;
    WeightMemory memory;
    NodeResources resources;
};

}  // namespace graphplan::engine
