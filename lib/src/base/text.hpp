// Text helpers for messages beside the public ones of base.hpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "graphplan/base.hpp"

namespace graphplan {

/// The candidate nearest to `word` by edit distance, or "" if none is near enough to suggest.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// Whether `text` is well-formed UTF-8; if not, `bad` is the offset of the first bad byte.
bool is_utf8(std::string_view text, std::size_t& bad) noexcept;

}  // namespace graphplan
