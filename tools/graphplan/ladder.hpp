// graphplan ladder: bucket sizes for traffic, before anything is measured.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_ladder_command();

}  // namespace graphplan::cli
