// Works a forward program out for one shape.
#pragma once

#include <string_view>

#include "engine/lowered.hpp"
#include "engine/weights.hpp"
#include "graphplan/model.hpp"

namespace graphplan::engine {

/// A walk or region of a node, found by its name.
struct ForwardRef {
    const Node* node = nullptr;
    const Forward* forward = nullptr;
    std::string_view name;
    bool is_region = false;
};

/// The calls, tensors and lifetimes of a forward at one shape; its weights are added to `weights`.
/// @throws Error invalid_document that names the document, the step's JSON pointer and the operator
LoweredProgram lower(const Model& model, const ForwardRef& forward, const BucketShape& shape,
                     WeightTable& weights);

}  // namespace graphplan::engine
