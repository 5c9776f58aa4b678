// The tree of commands and their options, and what one command line asks for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "command.hpp"

namespace graphplan::cli {

/// The program's options, with every command's as a subcommand.
class CommandLine {
  public:
    CommandLine();
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    /// The command that the arguments name, its options filled in; null where they ask for help or the
    /// version, which `text` then holds. @throws Error invalid_argument, with a suggestion
    Command* parse(const std::vector<std::string>& arguments, std::string& text);

    /// The tree, for help and completion.
    const CLI::App& app() const noexcept { return *app_; }

  private:
    void parse_command(CLI::App& app, const std::vector<std::string>& arguments) const;

    std::vector<CommandEntry> commands_;
    bool help_ = false;
    bool version_ = false;
    std::unique_ptr<CLI::App> app_;
};

/// Whether a command line, right or wrong, wants a document on stdout.
bool wants_document(const std::vector<std::string>& arguments);

/// The last --color of a command line, right or wrong; "auto" where there is none.
std::string color_word(const std::vector<std::string>& arguments);

}  // namespace graphplan::cli
