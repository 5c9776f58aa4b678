#include "progress.hpp"

#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "words.hpp"

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

std::function<void(std::size_t, std::size_t, const BucketSpec&)> Progress::of_buckets() {
    return [this](std::size_t done, std::size_t total, const BucketSpec& next) {
        report(done, total, label_of(next.pool, next.id));
    };
}

LogCallback Progress::around(LogCallback log) {
    return [this, log = std::move(log)](LogLevel level, std::string_view text) {
        clear();
        log(level, text);
    };
}

void Progress::clear() {
    if (on_line_) err_ << "\r\x1b[K" << std::flush;
    on_line_ = false;
}

}  // namespace graphplan::cli
