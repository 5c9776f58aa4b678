// Another process of this program, for work that may not end well.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

namespace graphplan::cli {

struct ChildResult {
    std::string out;    ///< what it wrote to stdout
    int exit_code = 0;  ///< or 128 + the signal that ended it
};

/// Runs this program with `arguments` and waits for it. Its stderr is this process's; it has a process group
/// of its own, so that an interrupt reaches it once, when `stop` is requested. @throws Error io
ChildResult run_child(const std::vector<std::string>& arguments, const std::stop_token& stop);

/// How a process ended: the message of the error document that it left, else "signal 9" or "exit code 70".
std::string end_words(const ChildResult& result);

/// Called in such a process: it ends when the one that started it does, however that ended.
void end_with_parent() noexcept;

}  // namespace graphplan::cli
