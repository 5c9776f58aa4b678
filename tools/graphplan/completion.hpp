// completion: shell scripts that complete commands and options.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_completion_command();

}  // namespace graphplan::cli
