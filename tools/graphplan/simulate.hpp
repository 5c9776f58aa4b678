// simulate: runs a recorded trace through the allocator.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_simulate_command();

}  // namespace graphplan::cli
