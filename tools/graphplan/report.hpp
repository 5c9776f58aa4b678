// graphplan report: a page that shows where the memory goes.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_report_command();

}  // namespace graphplan::cli
