// Comma-separated values, as RFC 4180 says.
#pragma once

#include <string>
#include <string_view>

namespace graphplan::cli {

/// A field, in quotes where it has to be.
std::string csv_field(std::string_view text);

}  // namespace graphplan::cli
