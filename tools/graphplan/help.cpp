#include "help.hpp"

#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "choices.hpp"
#include "terminal.hpp"

namespace graphplan::cli {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kLeft = 28;

// "  left      right", wrapped under itself; a long left part gets a line of its own.
std::string entry(const std::string& left, const std::string& right, std::size_t indent) {
    std::string text = "  " + left;
    if (text.size() + 2 > indent)
        text += "\n" + std::string(indent, ' ');
    else
        text.resize(indent, ' ');
    const std::vector<std::string> lines = wrap(right, kWidth - indent);
    return text + fmt::format("{}\n", fmt::join(lines, "\n" + std::string(indent, ' ')));
}

std::string option_label(const CLI::Option& option) {
    if (option.get_positional()) return option.get_name(true);
    std::string label = option.get_snames().empty() ? "    " : "-" + option.get_snames()[0];
    if (!option.get_lnames().empty())
        label += (option.get_snames().empty() ? "--" : ", --") + option.get_lnames()[0];
    const bool has_value = option.get_items_expected_max() > 0;
    return has_value ? label + " " + option.get_type_name() : label;
}

std::string section(const std::string& title, const std::vector<const CLI::Option*>& options) {
    if (options.empty()) return "";
    std::string text = fmt::format("\n{}:\n", title);
    for (const CLI::Option* option : options)
        text += entry(option_label(*option), option->get_description(), kLeft);
    return text;
}

std::string usage(const CLI::App& app) {
    std::string text = "graphplan " + app.get_name();
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_positional()) text += " " + option->get_name(true);
    }
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group() != "Required") continue;
        const bool is_short = !option->get_snames().empty();
        text += fmt::format(" {}{} {}", is_short ? "-" : "--",
                            is_short ? option->get_snames()[0] : option->get_lnames()[0],
                            option->get_type_name());
    }
    return text + " [options]";
}

std::string command_page(const CLI::App& app) {
    std::string text =
        fmt::format("{}\n\nUsage: {}\n", fmt::join(wrap(app.get_description(), kWidth), "\n"), usage(app));
    std::vector<const CLI::Option*> positionals;
    std::vector<std::string> groups;
    for (const CLI::Option* option : shown_options(app)) {
        if (option->get_positional())
            positionals.push_back(option);
        else if (std::find(groups.begin(), groups.end(), option->get_group()) == groups.end())
            groups.push_back(option->get_group());
    }
    text += section("Arguments", positionals);
    for (const std::string& group : groups) {
        text += section(group, app.get_options([&group](const CLI::Option* option) {
            return !option->get_positional() && option->get_group() == group;
        }));
    }
    return text + "\n" + app.get_footer();
}

std::string program_page(const CLI::App& app) {
    std::string text =
        app.get_description() + "\n\nUsage: graphplan COMMAND [INPUT...] [options]\n\nCommands:\n";
    for (const CLI::App* command : app.get_subcommands({})) {
        text += entry(command->get_name(), command->get_description(), 14);
    }
    return text +
           "\nExit codes: 0 done, 1 the answer is no, 2 usage, 3 bad document or I/O, 4 device,\n"
           "70 a bug, 130 interrupted. \"graphplan COMMAND --help\" explains a command.\n"
           "\nExamples:\n"
           "  graphplan size model.json -b buckets.json --backend sim -o costs.json\n"
           "  graphplan plan costs.json --free-mib 2048 -o plan.json\n";
}

}  // namespace

std::string help_page(const CLI::App& app) {
    return app.get_name() == "graphplan" ? program_page(app) : command_page(app);
}

}  // namespace graphplan::cli
