// What an option's type name says about its values: "cuda|sim" is a choice, "FILE" a path.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace graphplan::cli {

/// The values that an option can take, or none if it takes others too.
std::vector<std::string> choices_of(const CLI::Option& option);

/// Whether its values are paths.
bool takes_files(const CLI::Option& option);

/// The options of a command that people are shown: one without a group is for the program itself.
std::vector<const CLI::Option*> shown_options(const CLI::App& app);

/// Names joined as a type name: "a|b|c".
std::string as_choices(const std::vector<std::string>& names);

}  // namespace graphplan::cli
