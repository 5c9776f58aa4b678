#include "completion.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "choices.hpp"
#include "command_line.hpp"
#include "options.hpp"
#include "output.hpp"

namespace graphplan::cli {
namespace {

std::vector<std::string> spellings(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    return names;
}

// What follows an option or stands as an argument, as words for compgen.
std::string values_of(const CLI::Option& option) {
    if (takes_files(option)) return "COMPREPLY=($(compgen -f -- \"$word\"))";
    return fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))", fmt::join(choices_of(option), " "));
}

std::string command_case(const CLI::App& app) {
    std::string names, after, argument;
    for (const CLI::Option* option : shown_options(app)) {
        if (option->get_positional()) {
            if (argument.empty()) argument = values_of(*option);
            continue;
        }
        const std::vector<std::string> own = spellings(*option);
        names += fmt::format("{}{}", names.empty() ? "" : " ", fmt::join(own, " "));
        if (option->get_items_expected_max() == 0) continue;
        after += fmt::format("                {}) {}; return ;;\n", fmt::join(own, "|"), values_of(*option));
    }
    std::string text = fmt::format("        {})\n", app.get_name());
    if (!after.empty()) text += fmt::format("            case \"$previous\" in\n{}            esac\n", after);
    text += fmt::format(
        "            if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))\n", names);
    return text + fmt::format("            else {}; fi ;;\n", argument.empty() ? ":" : argument);
}

std::string script(const CLI::App& program, bool zsh) {
    std::string commands, cases;
    for (const CLI::App* app : program.get_subcommands({})) {
        commands += (commands.empty() ? "" : " ") + app->get_name();
        cases += command_case(*app);
    }
    std::string text = zsh ? "#compdef graphplan\nautoload -U +X bashcompinit && bashcompinit\n" : "";
    text +=
        "_graphplan() {\n    local word=\"${COMP_WORDS[COMP_CWORD]}\" "
        "previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n";
    text += "    COMPREPLY=()\n    if (( COMP_CWORD == 1 )); then\n";
    text += fmt::format(
        "        COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"))\n        return\n    fi\n",
        commands);
    text += "    case \"${COMP_WORDS[1]}\" in\n" + cases + "    esac\n}\n";
    return text + "complete -o filenames -F _graphplan graphplan\n";
}

class CompletionCommand final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("SHELL", shell_, "Which shell's")->type_name("bash|zsh");
        add_examples(app,
                     {"source <(graphplan completion bash)", "graphplan completion zsh > ~/.graphplan.zsh"});
    }

    int run(const Streams& streams) override {
        required(shell_, "SHELL", "completion");
        streams.out << script(CommandLine().app(), shell_ == "zsh");
        finish(streams.out);
        return 0;
    }

  private:
    std::string shell_;
};

}  // namespace

std::unique_ptr<Command> make_completion_command() { return std::make_unique<CompletionCommand>(); }

}  // namespace graphplan::cli
