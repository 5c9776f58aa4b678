#include "engine/forwards.hpp"
#include "engine/structure.hpp"
#include "graphplan/engine.hpp"

namespace graphplan {
namespace {

engine::WeightTable weights_of(const Model& model, const Node& node) {
    engine::WeightTable weights;
    for (const engine::ForwardRef& forward : engine::forwards_of(node)) {
        engine::lower_at_some_shape(model, forward, weights);
    }
    return weights;
}

}  // namespace

void check_model(const Model& model) {
    engine::check_structure(model);
    for (const Node& node : model.nodes) weights_of(model, node);
}

std::int64_t count_parameters(const Model& model) {
    engine::check_structure(model);
    std::int64_t count = 0;
    for (const Node& node : model.nodes) count += weights_of(model, node).parameters();
    return count;
}

}  // namespace graphplan
