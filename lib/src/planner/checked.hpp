// Sums that report an overflow instead of wrapping.
#pragma once

#include <limits>
#include <optional>

#include "graphplan/base.hpp"

namespace graphplan {

inline constexpr Bytes kMaxBytes = std::numeric_limits<Bytes>::max();

inline std::optional<Bytes> checked_add(Bytes a, Bytes b) noexcept {
    Bytes sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
    return sum;
}

inline std::optional<Bytes> checked_multiply(Bytes a, Bytes b) noexcept {
    Bytes product = 0;
    if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
    return product;
}

/// The sum, or the largest number where it would pass it. Neither below 0.
inline Bytes saturating_add(Bytes a, Bytes b) noexcept { return checked_add(a, b).value_or(kMaxBytes); }

/// `a - b`. @throws Error invalid_argument naming `what`
Bytes checked_difference(Bytes a, Bytes b, const char* what);

}  // namespace graphplan
