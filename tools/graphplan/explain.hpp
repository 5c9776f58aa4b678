// explain: the reasons behind a plan.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_explain_command();

}  // namespace graphplan::cli
