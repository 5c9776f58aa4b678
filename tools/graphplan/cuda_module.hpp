// The CUDA backend as the program sees it: a module beside it, loaded only when a GPU is asked for, since
// CUDA's libraries take 200 MB and longer to load than most commands run.
#pragma once

#include <memory>

#include "graphplan/cuda.hpp"

namespace graphplan::cli {

/// What the module hands out. Both were built from one revision, or the module is refused.
struct CudaModule {
    const char* revision = nullptr;
    CudaDevices (*list)() = nullptr;
    std::unique_ptr<Device> (*open)(const CudaOptions& options) = nullptr;
};

inline constexpr const char* kCudaModuleFile = "graphplan_cuda.so";
inline constexpr const char* kCudaModuleEntry = "graphplan_cuda_module";

/// The module, which stays loaded to the process's end. @throws Error device_unavailable where this build
/// has none, or a library that it needs is missing
const CudaModule& load_cuda_module();

}  // namespace graphplan::cli
