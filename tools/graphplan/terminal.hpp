// How text looks: colours where there is a terminal, tables, bytes that must not reach one.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace graphplan::cli {

/// Colours, or none. Which it is was decided once, by --color, NO_COLOR and whether it is a terminal.
class Paint {
  public:
    explicit Paint(bool on) noexcept : on_(on) {}
    std::string bold(std::string_view text) const { return wrapped("1", text); }
    std::string red(std::string_view text) const { return wrapped("1;31", text); }
    std::string yellow(std::string_view text) const { return wrapped("1;33", text); }
    std::string green(std::string_view text) const { return wrapped("1;32", text); }

  private:
    std::string wrapped(std::string_view code, std::string_view text) const;
    bool on_;
};

/// A document's text for a line of its own: quoted and escaped if it holds control bytes.
std::string printable(std::string_view text);

/// Columns of text: the first ones are aligned left, numbers right.
class Table {
  public:
    struct Column {
        std::string title;
        bool right = false;
    };
    explicit Table(std::vector<Column> columns);

    void add(std::vector<std::string> cells);
    bool empty() const noexcept { return rows_.empty(); }
    void print(std::ostream& out, const Paint& paint, std::string_view indent = "  ") const;

  private:
    std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;

    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// `text` broken at spaces into lines of at most `width` columns; a longer word gets its own line.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// "1 graph", "2 graphs".
std::string counted(std::size_t count, std::string_view singular);

}  // namespace graphplan::cli
