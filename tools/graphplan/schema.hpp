// schema: prints a document kind's JSON Schema.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_schema_command();

}  // namespace graphplan::cli
