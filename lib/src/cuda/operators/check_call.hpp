// Checks the operands of a call before anything is launched: a wrong shape must not reach a kernel.
#pragma once

#include <cstdint>
#include <string_view>

#include "graphplan/operators.hpp"

namespace graphplan::cuda {

/// Counts of operands, positive dimensions, addresses. @throws Error invalid_argument
void check_operands(const OperatorCall& call);

/// @throws Error invalid_argument naming the operator, the rule and the operands, unless `holds`
void expect(bool holds, const OperatorCall& call, std::string_view rule);

bool is_float(DType dtype) noexcept;
bool is_index(DType dtype) noexcept;
/// The last dimension, 1 for a scalar.
std::int64_t last(const TensorView& tensor) noexcept;
/// Elements over the last dimension.
std::int64_t rows(const TensorView& tensor) noexcept;

}  // namespace graphplan::cuda
