// Real GPUs, in the library graphplan::cuda.
//
// Nothing here changes a GPU's settings, and nothing uses managed memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "graphplan/device.hpp"

namespace graphplan {

struct CudaOptions {
    int ordinal = 0;  ///< which GPU, in the driver's order
    /// Read this process's own memory from NVML, which neighbours don't move. Where NVML doesn't tell,
    /// as in some containers, only the device's free memory is known, and Capabilities say so.
    bool process_memory = true;
};

/// The GPUs that this process can use, or why there is none.
struct CudaDevices {
    std::vector<Capabilities> devices;  ///< by ordinal
    std::string unavailable;            ///< in words, with a remedy; empty where there are devices
};
/// Makes no context, so that a full GPU and one that another process has to itself are listed too. Only a
/// device that is made knows whether it measures_process_memory.
CudaDevices list_cuda_devices();

/// @throws Error device_unavailable where there is no such GPU or no driver
std::unique_ptr<Device> make_cuda_device(const CudaOptions& options);

}  // namespace graphplan
