// verify: a plan, captured for real, against its predictions.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_verify_command();

}  // namespace graphplan::cli
