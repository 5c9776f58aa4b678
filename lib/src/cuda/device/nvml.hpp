// What NVML tells of a GPU, loaded at run time: it may be missing, and in containers it may know nothing of
// this process.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "graphplan/device.hpp"

namespace graphplan::cuda {

class Nvml {
  public:
    /// `pci_bus_id` as CUDA writes it, e.g. "0000:1b:00.0". Never throws: what is missing stays absent.
    explicit Nvml(const std::string& pci_bus_id);
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    /// Bytes of the GPU's memory that this process uses, absent where NVML doesn't tell.
    std::optional<Bytes> used_by_process() const;
    /// The clocks now, and why they are held down; what NVML doesn't tell is absent.
    ClockState clocks() const;
    /// "580.159.04", empty where NVML doesn't tell.
    std::string driver_version() const;

  private:
    struct Library;
    std::unique_ptr<Library> library_;
    void* device_ = nullptr;
};

}  // namespace graphplan::cuda
