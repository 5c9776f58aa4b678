// What the commands that capture a plan share: their inputs and options, and a session over them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "allocator_choice.hpp"
#include "backends.hpp"
#include "command.hpp"
#include "graphplan/replay.hpp"
#include "model_inputs.hpp"
#include "output.hpp"

namespace graphplan::cli {

/// A plan captured on a device. Members go in reverse: the session first.
struct Serving {
    Plan plan;
    ModelInputs inputs;
    std::unique_ptr<Device> device;
    std::unique_ptr<Engine> engine;
    Difference difference;  ///< from where the plan was made
    std::unique_ptr<ReplaySession> session;
    CaptureReport report;
};

class ServingOptions {
  public:
    /// PLAN, MODEL, -b and the options that lead to a session.
    void declare(CLI::App& app, const std::string& weights);
    /// @throws Error invalid_argument where inputs are missing or options contradict each other
    void check(std::string_view command);
    std::vector<std::string> paths() const { return {plan_path_, model_path_, buckets_path_}; }

    /// Reads and checks the documents. @throws Error
    std::unique_ptr<Serving> load(const Output& output) const;
    /// Opens the device and captures; what doesn't match the plan is warned of. @throws Error
    void capture(Serving& serving, const Streams& streams, const Output& output) const;

    std::uint64_t seed() const noexcept { return device_.seed(); }

  private:
    ReplayOptions replay_options(const Streams& streams, const Output& output,
                                 class Progress& progress) const;

    std::string plan_path_, model_path_, buckets_path_, weights_;
    std::optional<std::string> warmup_;
    int warmups_ = 2;
    bool require_graphs_ = false;
    AllocatorChoice allocator_;
    DeviceChoice device_;
};

/// "device: driver: the plan says 1, here it is 2".
std::string change_line(const Change& change);

}  // namespace graphplan::cli
