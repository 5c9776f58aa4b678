// Parts of a model document: forwards, their programs, and what is written in expressions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "documents/value.hpp"
#include "graphplan/model.hpp"

namespace graphplan::documents {

DType read_dtype(const Value& value);

/// The name that a member of an object has. @throws Error invalid_document for an unfit one
std::string member_name(const Value& value);

/// A shape expression, as text: an integer of at least 1, or a string over `dimensions` and `unknowns`.
/// @throws Error invalid_document
std::string read_expression(const Value& value, const Dimensions& dimensions,
                            std::span<const std::string_view> unknowns);

/// A walk or a region that stands at `pointer`. @throws Error invalid_document
Forward read_forward(const Value& value, std::string pointer, const Dimensions& dimensions);

/// The steps of a program that stands at `pointer`. Operators stay as they are written; repeat counts are
/// checked against `dimensions`. @throws Error invalid_document
Program read_program(const Value& list, const std::string& pointer, const Dimensions& dimensions);

}  // namespace graphplan::documents
