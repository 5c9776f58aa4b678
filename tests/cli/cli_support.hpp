// Runs the program in process, in a folder with copies of tests/cli/inputs.
#pragma once

#include <atomic>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

#include "run_cli.hpp"

namespace graphplan::cli_test {

struct Outcome {
    int exit_code = 0;
    std::string out, err;
};

inline Outcome run(const std::vector<std::string>& arguments, const cli::Environment& environment = {}) {
    std::ostringstream out, err;
    const int exit_code = cli::run_cli(arguments, out, err, environment);
    return {exit_code, out.str(), err.str()};
}

/// The current folder while it lives; gone afterwards.
class InputFolder {
  public:
    InputFolder() : before_(std::filesystem::current_path()) {
        static std::atomic<int> count{0};
        folder_ = std::filesystem::temp_directory_path() /
                  ("graphplan_cli_" + std::to_string(getpid()) + "_" + std::to_string(count++));
        std::filesystem::copy(std::filesystem::path(GRAPHPLAN_SOURCE_DIR) / "tests/cli/inputs", folder_);
        std::filesystem::current_path(folder_);
    }
    ~InputFolder() {
        std::error_code ignored;
        std::filesystem::current_path(before_, ignored);
        std::filesystem::remove_all(folder_, ignored);
    }
    InputFolder(const InputFolder&) = delete;
    InputFolder& operator=(const InputFolder&) = delete;
    const std::filesystem::path& path() const noexcept { return folder_; }

  private:
    std::filesystem::path before_, folder_;
};

}  // namespace graphplan::cli_test
