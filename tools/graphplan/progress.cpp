#include "progress.hpp"

#include <ostream>

#include <fmt/format.h>

#include "graphplan/base.hpp"

namespace graphplan::cli {

Progress::~Progress() { clear(); }

void Progress::report(std::size_t done, std::size_t total, std::string_view next) {
    if (!shown_) return;
    const std::string line = fmt::format("[{}/{}] {}", done + 1, total, next);
    if (is_terminal_) {
        err_ << "\r\x1b[K" << shortened(line, 78) << std::flush;
        on_line_ = true;
    } else {
        err_ << line << '\n';
    }
}

void Progress::clear() {
    if (on_line_) err_ << "\r\x1b[K" << std::flush;
    on_line_ = false;
}

}  // namespace graphplan::cli
