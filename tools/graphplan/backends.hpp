// The backends of this build. No other file of the program names one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graphplan/base.hpp"
#include "graphplan/device.hpp"
#include "graphplan/sim.hpp"

namespace CLI {
class App;
}

namespace graphplan::cli {

/// A device that a backend offers, or a kind of device that it can pretend to be.
struct DeviceListing {
    std::string name;    ///< what selects it: "0", "h200"
    std::string device;  ///< e.g. "NVIDIA H200"
    Bytes total_bytes = 0;
};

struct BackendListing {
    std::string name;
    bool available = false;
    std::string note;  ///< why it is not there, or what it is
    std::vector<DeviceListing> devices;
};

std::vector<BackendListing> list_backends();

/// The profile that simulates a device: "h200" for "NVIDIA H200"; the device itself where none does.
std::string profile_of(const std::string& device);

/// A device to ask an engine about its buckets, which are the same on any. Nothing runs on it.
std::unique_ptr<Device> stand_in_device();

/// Which device to open: the options --backend, --device and --sim-*.
class DeviceChoice {
  public:
    void declare(CLI::App& app);

    /// Options that contradict each other or make no sense. @throws Error invalid_argument
    void check();

    /// @throws Error device_unavailable
    std::unique_ptr<Device> open() const;

    /// The arguments that make the same choice in another process.
    std::vector<std::string> arguments() const;

    /// The seed that random state starts from.
    std::uint64_t seed() const noexcept { return seed_; }

  private:
    bool reads_process_memory() const;
    std::unique_ptr<Device> open_healthy() const;

    std::string backend_ = "cuda";
    std::optional<std::string> device_, profile_, seed_text_, taken_, neighbour_, captures_, process_memory_;
    std::vector<std::string> fault_texts_, any_fault_texts_;
    std::uint64_t seed_ = 0;
    Bytes taken_bytes_ = 0, neighbour_bytes_ = 0;
    std::int64_t index_ = 0;
    std::vector<Fault> faults_;
};

}  // namespace graphplan::cli
