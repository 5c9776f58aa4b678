// graphplan sweep: which buckets fit into which budget.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_sweep_command();

}  // namespace graphplan::cli
