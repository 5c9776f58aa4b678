// The options that say what to plan for, shared by the commands that make plans.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graphplan/planner.hpp"
#include "output.hpp"

namespace CLI {
class App;
}

namespace graphplan::cli {

class PlanChoices {
  public:
    /// --same-process and --reusable-mib, in the group "Budget".
    void declare_reuse(CLI::App& app);
    /// --memory-model, --outputs, --objective, --traffic, --must and --require-all, in the group "Choice".
    void declare_choice(CLI::App& app);

    /// @throws Error invalid_argument
    PlanOptions check() const;
    /// The traffic, where it was given. @throws Error io, invalid_document
    void read_traffic(const Output& output, PlanOptions& options);
    /// The paths that are read, beside others.
    std::vector<std::string> inputs(std::vector<std::string> others) const;
    const std::string& traffic_sha256() const noexcept { return traffic_sha256_; }

  private:
    bool same_process_ = false, require_all_ = false;
    std::optional<std::string> reusable_mib_, memory_model_;
    std::string objective_ = "count", outputs_ = "per_graph", traffic_path_, traffic_sha256_;
    std::vector<std::string> must_;
};

}  // namespace graphplan::cli
