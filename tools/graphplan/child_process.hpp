// Another process of this program, for work that may not end well.
#pragma once

#include <string>
#include <vector>

namespace graphplan::cli {

struct ChildResult {
    std::string out;    ///< what it wrote to stdout
    int exit_code = 0;  ///< or 128 + the signal that ended it
};

/// Runs this program with `arguments` and waits for it. Its stderr is this process's. @throws Error io
ChildResult run_child(const std::vector<std::string>& arguments);

}  // namespace graphplan::cli
