// One HTML page that needs nothing else: style inside, no script, no network.
#pragma once

#include <string>
#include <vector>

#include "report/figures.hpp"

namespace graphplan::cli::report {

struct Heading {
    std::string title;
    std::vector<std::string> lines;  ///< below it, e.g. device and driver
};

std::string to_html(const Heading& heading, const std::vector<Figure>& figures);

}  // namespace graphplan::cli::report
