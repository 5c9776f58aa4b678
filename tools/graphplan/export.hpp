// graphplan export: a plan as other engines take it.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_export_command();

}  // namespace graphplan::cli
