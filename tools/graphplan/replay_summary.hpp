// What `replay` found, for people and as graphplan.replay.
#pragma once

#include <iosfwd>
#include <string>

#include "replay_run.hpp"
#include "serving.hpp"
#include "terminal.hpp"

namespace graphplan::cli {

void print_replay(std::ostream& out, const Paint& paint, const Serving& serving, const ReplayRun& run,
                  bool everything);
std::string to_json(const Serving& serving, const ReplayRun& run);

}  // namespace graphplan::cli
