// Text helpers for messages: quoting, shortening, suggestions.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace graphplan {

/// `text` in double quotes, control and non-UTF-8 bytes escaped, cut after `limit` bytes with "…".
std::string quoted(std::string_view text, std::size_t limit = 80);

/// `text` cut to at most `limit` bytes at a character's boundary, ending in "…" if it was cut.
std::string shortened(std::string_view text, std::size_t limit);

/// The candidate nearest to `word` by edit distance, or "" if none is near enough to suggest.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// " Did you mean "x"?" for the nearest candidate, else "".
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

/// Whether `text` is well-formed UTF-8; if not, `bad` is the offset of the first bad byte.
bool is_utf8(std::string_view text, std::size_t& bad) noexcept;

}  // namespace graphplan
