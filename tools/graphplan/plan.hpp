// plan: chooses which buckets to capture.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_plan_command();

}  // namespace graphplan::cli
