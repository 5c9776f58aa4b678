// replay: steps through the graphs of a plan.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_replay_command();

}  // namespace graphplan::cli
