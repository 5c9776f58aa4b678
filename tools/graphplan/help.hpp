// Help pages, from the tree of commands and options.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace graphplan::cli {

/// The program's page (one screen: the commands), or a command's: usage, arguments, options, examples.
std::string help_page(const CLI::App& app);

}  // namespace graphplan::cli
