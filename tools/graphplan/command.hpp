// What a command is to the program: options to declare, and a run.
#pragma once

#include <iosfwd>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "run_cli.hpp"

namespace CLI {
class App;
}

namespace graphplan::cli {

struct Streams {
    std::ostream& out;
    std::ostream& err;
    const Environment& environment;

    /// Asks to stop once somebody interrupts; never where nobody can.
    std::stop_token stop() const;
};

class Command {
  public:
    virtual ~Command() = default;

    /// Adds its arguments, options and examples.
    virtual void declare(CLI::App& app) = 0;

    /// The exit code: 0 done, 1 the answer is no. @throws Error
    virtual int run(const Streams& streams) = 0;
};

/// A command under its name, with the line that the list of commands says about it.
struct CommandEntry {
    std::string name;
    std::string summary;
    std::unique_ptr<Command> command;
};

/// Every command, in the order of the list.
std::vector<CommandEntry> all_commands();

}  // namespace graphplan::cli
