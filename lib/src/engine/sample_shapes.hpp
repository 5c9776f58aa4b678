// Shapes to try a forward at where no buckets document says which.
#pragma once

#include <vector>

#include "graphplan/model.hpp"

namespace graphplan::engine {

/// Two rows of one token each, of many, and of each count of tokens that a constant in the forward or in
/// the model's dims suggests: a program for images of 577 patches names that number somewhere.
std::vector<BucketShape> sample_shapes(const Model& model, const Forward& forward);

}  // namespace graphplan::engine
