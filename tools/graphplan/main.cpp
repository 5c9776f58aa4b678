#include <iostream>
#include <string>
#include <vector>

#include "run_cli.hpp"

int main(int argc, char** argv) {
    return graphplan::cli::run_cli(std::vector<std::string>(argv + 1, argv + argc), std::cout, std::cerr);
}
