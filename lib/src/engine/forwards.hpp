// Finds the nodes, walks and regions that documents name.
#pragma once

#include <string_view>
#include <vector>

#include "engine/lowering.hpp"

namespace graphplan::engine {

/// A node's walks, then its regions, in the document's order.
std::vector<ForwardRef> forwards_of(const Node& node);

/// What a capture config names. @throws Error invalid_document, with a suggestion
ForwardRef find_forward(const Model& model, const Buckets& buckets, const CaptureConfig& config);

/// The forward at a shape that suits it, where no buckets document says which: tried are one token a
/// row, many, and the values of the model's dims. @throws Error invalid_document if it suits none
LoweredProgram lower_at_some_shape(const Model& model, const ForwardRef& forward, WeightTable& weights);

}  // namespace graphplan::engine
