// size: measures what each bucket costs.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_size_command();

}  // namespace graphplan::cli
