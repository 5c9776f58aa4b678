// bench: times each bucket, eagerly and replayed.
#pragma once

#include <memory>

#include "command.hpp"

namespace graphplan::cli {

std::unique_ptr<Command> make_bench_command();

}  // namespace graphplan::cli
