// What changed between two documents, for terminals, pull requests and workflows.
#pragma once

#include <iosfwd>
#include <string>

#include "graphplan/plan.hpp"
#include "terminal.hpp"

namespace graphplan::cli {

void print_text(std::ostream& out, const Paint& paint, const Difference& difference);

/// A table for a comment on a pull request.
std::string to_markdown(const Difference& difference);

/// One workflow command of GitHub Actions a line: errors for what matters, notices for the rest.
std::string to_annotations(const Difference& difference);

/// @throws Error invalid_argument for a word that names no kind
Change::Kind parse_change_kind(const std::string& word);

}  // namespace graphplan::cli
