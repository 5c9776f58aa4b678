#include "terminal.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

#include "graphplan/base.hpp"

#include <fmt/format.h>

namespace graphplan::cli {
namespace {

std::size_t columns_of(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string Paint::wrapped(std::string_view code, std::string_view text) const {
    return on_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string printable(std::string_view text) {
    const bool plain = std::none_of(text.begin(), text.end(),
                                    [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
    return plain ? std::string(text) : graphplan::quoted(text);
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    rows_.push_back(std::move(cells));
}

std::string Table::line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const {
    std::string text;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::string padding(widths[i] - std::min(widths[i], columns_of(cells[i])), ' ');
        if (i > 0) text += "  ";
        text += columns_[i].right ? padding + cells[i] : cells[i] + padding;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

void Table::print(std::ostream& out, const Paint& paint, std::string_view indent) const {
    std::vector<std::string> titles;
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        titles.push_back(columns_[i].title);
        widths.push_back(columns_of(columns_[i].title));
        for (const auto& row : rows_) widths[i] = std::max(widths[i], columns_of(row[i]));
    }
    out << indent << paint.bold(line(titles, widths)) << '\n';
    for (const auto& row : rows_) out << indent << line(row, widths) << '\n';
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
    std::vector<std::string> lines(1);
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        if (!lines.back().empty() && columns_of(lines.back()) + 1 + columns_of(word) > width)
            lines.emplace_back();
        if (!lines.back().empty()) lines.back() += ' ';
        lines.back() += word;
        text.remove_prefix(std::min(text.size(), word.size() + 1));
    }
    return lines;
}

std::string counted(std::size_t count, std::string_view singular) {
    return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

}  // namespace graphplan::cli
