// Where a command's document and its human summary go.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "command.hpp"
#include "graphplan/base.hpp"
#include "graphplan/documents.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace graphplan::cli {

/// Routes what a command says. Checks its output before the work starts.
class Output {
  public:
    /// `inputs` are the paths that the command reads. @throws Error invalid_argument for options that
    /// contradict each other and for an output that is an input; io where the output cannot be written
    Output(const Streams& streams, const CommonOptions& options, const std::vector<std::string>& inputs);

    /// Writes the document where it was asked for (or nowhere), then the summary: to stdout without an
    /// output, else to stderr; not at all if quiet. @throws Error io, interrupted
    void write(const std::function<std::string()>& document,
               const std::function<void(std::ostream&, const Paint&)>& summary) const;

    /// The same, also where somebody interrupted: for work that keeps what is done. @throws Error io
    void write_what_is_there(const std::function<std::string()>& document,
                             const std::function<void(std::ostream&, const Paint&)>& summary) const;

    /// How documents are read: warnings go to stderr.
    ReadOptions reading() const;
    /// Messages of the library: warnings always, more with -v.
    LogCallback log() const;
    void warn(std::string_view text) const;

    bool verbose() const noexcept { return options_.verbosity > 0; }
    bool quiet() const noexcept { return options_.quiet; }

  private:
    void check_file(const std::vector<std::string>& inputs) const;

    const Streams& streams_;
    const CommonOptions& options_;
};

/// Flushes and checks a stream. @throws Error io if something written to it was lost
void finish(std::ostream& out);

/// Whether --color, NO_COLOR and the terminal ask for colours.
bool wants_color(const std::string& color, const Environment& environment, bool is_terminal);

}  // namespace graphplan::cli
