#include "command_line.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "choices.hpp"
#include "graphplan/base.hpp"
#include "help.hpp"

namespace graphplan::cli {
namespace {

[[noreturn]] void misused(const std::string& message) { throw Error(ErrorCode::invalid_argument, message); }

std::string see_help(const CLI::App& app) {
    const std::string name = app.get_name() == "graphplan" ? "graphplan" : "graphplan " + app.get_name();
    return fmt::format("Run \"{} --help\" for what it takes", name);
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : shown_options(app)) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

[[noreturn]] void refuse_extra(const CLI::App& app, const std::string& extra) {
    if (extra.size() < 2 || extra[0] != '-') {
        misused(fmt::format("unexpected argument {}. {}", graphplan::quoted(extra), see_help(app)));
    }
    const std::string name = extra.substr(0, extra.find('='));
    misused(fmt::format("unknown option {}.{} {}", graphplan::quoted(name),
                        suggestion(name, option_names(app)), see_help(app)));
}

void refuse_misplaced_option(const CLI::App& program, const std::string& argument) {
    const std::vector<std::string> known{"-h", "--help", "--version"};
    if (std::find(known.begin(), known.end(), argument) != known.end()) return;
    misused(fmt::format("no command before {}: options stand behind the command.{} {}",
                        graphplan::quoted(argument), suggestion(argument, known), see_help(program)));
}

void check_extras(const CLI::App& app) {
    std::vector<std::string> extras = app.remaining();
    std::erase(extras, "--");
    if (extras.empty()) return;
    const auto option = std::find_if(extras.begin(), extras.end(), [](const std::string& extra) {
        return extra.size() > 1 && extra[0] == '-';
    });
    refuse_extra(app, option == extras.end() ? extras.front() : *option);
}

void check_values(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
        const std::vector<std::string> choices = choices_of(*option);
        for (const std::string& value : option->results()) {
            const std::string name = option->get_positional() ? option->get_name(true) : option->get_name();
            if (value.empty()) misused(fmt::format("{}: the value is empty. {}", name, see_help(app)));
            if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end())
                continue;
            misused(fmt::format("{}: expected one of {}, found {}.{}", name, fmt::join(choices, ", "),
                                graphplan::quoted(value), suggestion(value, choices)));
        }
    }
}

// CLI11 takes the argument that follows for the value of "--option=".
void check_empty_assignments(const CLI::App& app, std::span<const std::string> arguments) {
    for (const std::string& argument : arguments) {
        if (argument == "--") return;
        if (argument.size() > 3 && argument.starts_with("--") && argument.back() == '=') {
            misused(fmt::format("{}: the value is empty. {}", graphplan::quoted(argument), see_help(app)));
        }
    }
}

std::string version_text() { return fmt::format("graphplan {} ({})\n", version(), git_revision()); }

}  // namespace

bool wants_document(const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        const std::string next = i + 1 < arguments.size() ? arguments[i + 1] : "";
        if (argument == "--json" || argument == "--output=-" || argument == "-o-" ||
            argument == "--format=json") {
            return true;
        }
        if ((argument == "-o" || argument == "--output") && next == "-") return true;
        if (argument == "--format" && next == "json") return true;
    }
    return false;
}

std::string color_word(const std::vector<std::string>& arguments) {
    constexpr std::string_view option = "--color";
    std::string word = "auto";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!arguments[i].starts_with(option)) continue;
        const std::string rest = arguments[i].substr(option.size());
        if (rest.starts_with('=')) word = rest.substr(1);
        if (rest.empty() && i + 1 < arguments.size()) word = arguments[i + 1];
    }
    return word;
}

CommandLine::CommandLine()
    : commands_(all_commands()),
      app_(std::make_unique<CLI::App>("Plans CUDA graph captures and predicts the memory they take.",
                                      "graphplan")) {
    app_->set_help_flag();
    app_->add_flag("-h,--help", help_, "Print this page, or a command's: graphplan COMMAND --help");
    app_->add_flag("--version", version_, "Print the version and the git revision");
    app_->allow_extras();
    for (const CommandEntry& entry : commands_) {
        CLI::App* app = app_->add_subcommand(entry.name, entry.summary);
        app->set_help_flag();
        entry.command->declare(*app);
        app->add_flag("-h,--help", help_, "Print this page")->group("Common options");
        app->allow_extras();
    }
}

CommandLine::~CommandLine() = default;

void CommandLine::parse_command(CLI::App& app, const std::vector<std::string>& arguments) const {
    check_empty_assignments(app, arguments);
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    try {
        app.parse(reversed);
    } catch (const CLI::Error& error) {
        misused(fmt::format("{}. {}", error.what(), see_help(app)));
    }
    if (help_) return;
    check_extras(app);
    check_values(app);
}

Command* CommandLine::parse(const std::vector<std::string>& arguments, std::string& text) {
    if (arguments.empty()) misused("no command. " + see_help(*app_));
    if (arguments[0].starts_with('-')) {
        refuse_misplaced_option(*app_, arguments[0]);
        parse_command(*app_, {arguments[0]});
        text = help_ ? help_page(*app_) : version_text();
        return nullptr;
    }
    std::vector<std::string> names;
    for (const CommandEntry& entry : commands_) {
        names.push_back(entry.name);
        if (entry.name != arguments[0]) continue;
        CLI::App& app = *app_->get_subcommand(entry.name);
        parse_command(app, {arguments.begin() + 1, arguments.end()});
        if (!help_) return entry.command.get();
        text = help_page(app);
        return nullptr;
    }
    misused(fmt::format("unknown command {}.{} {}", graphplan::quoted(arguments[0]),
                        suggestion(arguments[0], names), see_help(*app_)));
}

}  // namespace graphplan::cli
