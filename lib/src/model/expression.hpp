// Checks shape expressions whose names do not all have values yet.
#pragma once

#include <span>
#include <string_view>

#include "graphplan/model.hpp"

namespace graphplan {

/// Checks an expression's syntax and its names: each is one of `dimensions` or one of `unknowns`, whose
/// values come later. Arithmetic over known values is checked as `evaluate` does.
/// @throws Error invalid_document as `evaluate` does
void check_expression(std::string_view expression, const Dimensions& dimensions,
                      std::span<const std::string_view> unknowns);

}  // namespace graphplan
