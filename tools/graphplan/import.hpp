// graphplan import: other tools' descriptions as documents.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_import_command();

}  // namespace graphplan::cli
