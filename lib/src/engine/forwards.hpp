// Finds the nodes, walks and regions that documents name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/lowering.hpp"

namespace graphplan::engine {

/// A node's walks, then its regions, in the document's order.
std::vector<ForwardRef> forwards_of(const Node& node);

/// What a capture config names. @throws Error invalid_document, with a suggestion
ForwardRef find_forward(const Model& model, const Buckets& buckets, const CaptureConfig& config);
/// Another walk or region of the same node and kind, which stands at `pointer`.
ForwardRef find_forward(const Model& model, const Buckets& buckets, const CaptureConfig& config,
                        std::string_view name, const std::string& pointer);

/// The forward at the first of its sample shapes that suits it, where no buckets document says which.
/// @throws Error invalid_document as at the first of them if it suits none
LoweredProgram lower_at_some_shape(const Model& model, const ForwardRef& forward, WeightTable& weights);

}  // namespace graphplan::engine
