// Names of serving engines on the command line.
#pragma once

#include <string>
#include <string_view>

#include "graphplan/planner.hpp"

namespace graphplan::cli {

/// @throws Error invalid_argument, in the name of `option`; `seed` is an engine only where `with_seed`
EngineName parse_engine(std::string_view option, const std::string& text, bool with_seed);

}  // namespace graphplan::cli
