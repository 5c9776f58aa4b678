// The options of torch's caching allocator, as PYTORCH_CUDA_ALLOC_CONF calls them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphplan/base.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace graphplan::cli {

class AllocatorChoice {
  public:
    /// `otherwise`: whose options hold where none is given.
    void declare(CLI::App& app, const std::string& otherwise = "");
    /// @throws Error invalid_argument
    void check();

    bool given() const noexcept { return max_split_ || divisions_ || expandable_given_; }
    const AllocatorOptions& options() const noexcept { return options_; }
    /// The arguments that make the same choice in another process.
    std::vector<std::string> arguments() const;

  private:
    const CLI::Option* expandable_ = nullptr;
    bool expandable_given_ = false;
    std::optional<std::string> max_split_, divisions_;
    AllocatorOptions options_;
};

}  // namespace graphplan::cli
