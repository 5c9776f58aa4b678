// devices: what this build can run on.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_devices_command();

}  // namespace graphplan::cli
