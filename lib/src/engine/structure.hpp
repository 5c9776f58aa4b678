// Checks of a model that need no shapes.
#pragma once

#include "graphplan/model.hpp"

namespace graphplan::engine {

/// Names that must differ do, dims don't take names that buckets and repeats set, resources have their
/// sizes, every forward has outputs. @throws Error invalid_document with the place
void check_structure(const Model& model);

}  // namespace graphplan::engine
