// The buckets that a buckets document asks for, in the order in which they are sized.
#pragma once

#include <vector>

#include "engine/lowering.hpp"
#include "graphplan/engine.hpp"

namespace graphplan::engine {

/// Node by node; a node's walks before its regions (see Engine::buckets). What only a program tells,
/// blockers and input bytes, is left empty.
std::vector<BucketSpec> bucket_specs(const Model& model, const Buckets& buckets);

/// Whether any capture config is for this walk or region.
bool captures(const Buckets& buckets, const ForwardRef& forward) noexcept;

}  // namespace graphplan::engine
