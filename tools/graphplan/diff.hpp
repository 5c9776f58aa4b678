// diff: what changed between two plans or two costs documents.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_diff_command();

}  // namespace graphplan::cli
