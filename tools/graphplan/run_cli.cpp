#include "run_cli.hpp"

#include <ostream>

#include "graphplan/base.hpp"

namespace graphplan::cli {

int run_cli(const std::vector<std::string>&, std::ostream& out, std::ostream&) {
    out << "graphplan " << version() << '\n';
    return 0;
}

}  // namespace graphplan::cli
