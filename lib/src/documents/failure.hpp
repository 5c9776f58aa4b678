// How errors in documents are worded: "FILE: PLACE: what was found and expected".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "graphplan/base.hpp"

namespace graphplan::documents {

/// A file's name as messages print it: unprintable bytes escaped, cut if very long.
std::string printable(std::string_view text, std::size_t limit = 400);

/// "NAME: PLACE: MESSAGE", or "NAME: MESSAGE" without a place; always under 4,000 characters.
std::string located(std::string_view name, std::string_view place, std::string_view message);

/// @throws Error with the located message
[[noreturn]] void fail(std::string_view name, std::string_view place, std::string_view message,
                       ErrorCode code = ErrorCode::invalid_document);

}  // namespace graphplan::documents
