// What the dimensions of a shape count of a bucket.
#pragma once

#include <cstddef>
#include <string_view>

#include "graphplan/model.hpp"

namespace graphplan {

/// The dimension of an input that a batch's size changes: the first whose expression names `bs` or
/// `tokens`; 0 where none does.
std::size_t varying_dimension(const Input& input);

/// What an expression's value is in proportion to; `dimensions` hold `bs` and `tokens`. Neither where it
/// isn't twice as large as soon as both are, such as "tokens+1" and "tokens/bs".
Counts counts_of(std::string_view expression, Dimensions dimensions);

}  // namespace graphplan
