// How far long work is: one line that changes on a terminal, one line an item otherwise.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string_view>

#include "graphplan/engine.hpp"

namespace graphplan::cli {

class Progress {
  public:
    /// Says nothing if not `shown`.
    Progress(std::ostream& err, bool is_terminal, bool shown) noexcept
        : err_(err), is_terminal_(is_terminal), shown_(shown) {}
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// `done` of `total` items are finished, `next` begins.
    void report(std::size_t done, std::size_t total, std::string_view next);
    /// Clears the terminal's line, so that other text can follow.
    void clear();

    /// `report` for a run over buckets, and a log whose lines clear the terminal's first. It outlives both.
    std::function<void(std::size_t done, std::size_t total, const BucketSpec& next)> of_buckets();
    LogCallback around(LogCallback log);

  private:
    std::ostream& err_;
    bool is_terminal_;
    bool shown_;
    bool on_line_ = false;
};

}  // namespace graphplan::cli
