// The files of plans/schema, put into the library when it is built.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace graphplan::documents {

/// Kind and text of each schema, in the order in which kinds are listed for people.
std::span<const std::pair<std::string_view, std::string_view>> embedded_schemas() noexcept;

}  // namespace graphplan::documents
