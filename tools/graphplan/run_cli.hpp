// The whole program as a function, so that tests run it in process.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace graphplan::cli {

class Interrupts;

/// What the process knows about its surroundings. The defaults suit a run without a terminal.
struct Environment {
    bool out_is_terminal = false;
    bool err_is_terminal = false;
    bool no_color = false;             ///< NO_COLOR is set
    bool require_graphs = false;       ///< GRAPHPLAN_REQUIRE_GRAPHS is set, and not to 0
    Interrupts* interrupts = nullptr;  ///< Ctrl-C; none: nobody interrupts
};

/// Runs one command line (without the program's name). Returns the exit code: 0 done, 1 the answer is
/// no, 2 usage, 3 bad document or I/O, 4 device, 70 a defect, 130 interrupted. Never throws.
int run_cli(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err,
            const Environment& environment = {});

}  // namespace graphplan::cli
