#include "choices.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace graphplan::cli {
namespace {

bool is_word(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

}  // namespace

std::vector<std::string> choices_of(const CLI::Option& option) {
    std::vector<std::string> choices = CLI::detail::split(option.get_type_name(), '|');
    const bool all_words = std::all_of(choices.begin(), choices.end(), is_word);
    return choices.size() > 1 && all_words ? choices : std::vector<std::string>{};
}

bool takes_files(const CLI::Option& option) {
    return option.get_type_name().find("FILE") != std::string::npos;
}

std::vector<const CLI::Option*> shown_options(const CLI::App& app) {
    return app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

std::string as_choices(const std::vector<std::string>& names) {
    return fmt::format("{}", fmt::join(names, "|"));
}

}  // namespace graphplan::cli
