// The draws of a program from its node's random states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/lowered.hpp"
#include "engine/node_resources.hpp"
#include "graphplan/engine.hpp"

namespace graphplan::engine {

/// How often one pass over a program draws from each state. The resources outlive it.
class RandomDraws {
  public:
    RandomDraws(NodeResources& resources, const LoweredProgram& program);

    bool any() const noexcept { return !draws_.empty(); }
    /// Writes the states that the next pass reads. @throws Error device
    void write(Device& device, std::uint64_t stream) const {
        resources_->upload_random_states(device, stream);
    }
    /// A pass was made.
    void advance() const noexcept;

  private:
    NodeResources* resources_;
    std::vector<std::pair<std::size_t, std::int64_t>> draws_;  ///< resource, calls
};

/// A graph draws from the same states as eager passes, and moves them on alike.
class RandomLaunches final : public LaunchState {
  public:
    RandomLaunches(Device& device, RandomDraws draws) : device_(device), draws_(std::move(draws)) {}
    void write(std::uint64_t stream) override;

  private:
    Device& device_;
    RandomDraws draws_;
};

}  // namespace graphplan::engine
