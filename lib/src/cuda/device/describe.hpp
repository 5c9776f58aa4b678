// What a GPU says of itself.
#pragma once

#include <string>

#include "cuda/device/nvml.hpp"
#include "graphplan/device.hpp"

namespace graphplan::cuda {

/// Makes the GPU current. @throws Error device_unavailable naming what there is
void select(int ordinal);

/// As CUDA and NVML write it, e.g. "0000:1b:00.0".
std::string pci_bus_id(int ordinal);

/// Name, memory, driver and library versions; needs no context. If `process_memory`, whether NVML tells this
/// process's memory, which it does of processes that have one.
Capabilities describe(int ordinal, const Nvml& nvml, bool process_memory);

}  // namespace graphplan::cuda
