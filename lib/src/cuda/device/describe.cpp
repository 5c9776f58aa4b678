#include "cuda/device/describe.hpp"

#include <cublasLt.h>
#include <cuda_runtime.h>
#include <fmt/format.h>

#include <array>
#include <map>

#include "cuda/operators/collectives.hpp"
#include "cuda/operators/convolutions.hpp"
#include "cuda/operators/status.hpp"
#include "graphplan/cuda.hpp"

namespace graphplan::cuda {
namespace {

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

std::map<std::string, std::string> library_versions() {
    int runtime = 0;
    int driver_api = 0;
    check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    check(cudaDriverGetVersion(&driver_api), "cudaDriverGetVersion");
    std::map<std::string, std::string> versions{{"cuda_driver", version_text(driver_api)},
                                                {"cuda_runtime", version_text(runtime)},
                                                {"cublaslt", std::to_string(cublasLtGetVersion())}};
    if (const auto cudnn = cudnn_version()) versions.emplace("cudnn", *cudnn);
    if (const auto nccl = nccl_version()) versions.emplace("nccl", *nccl);
    return versions;
}

/// How many GPUs there are; 0 and `why` where that cannot be told.
int count_devices(std::string& why) {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaSuccess && count > 0) return count;
    cudaGetLastError();
    const cudaError_t reason = status == cudaSuccess ? cudaErrorNoDevice : status;
    why = fmt::format("{} ({}): check nvidia-smi, the driver and CUDA_VISIBLE_DEVICES",
                      cudaGetErrorName(reason), cudaGetErrorString(reason));
    return 0;
}

}  // namespace

void select(int ordinal) {
    std::string why;
    const int count = count_devices(why);
    if (count == 0) {
        throw Error(ErrorCode::device_unavailable, "no CUDA device can be used: " + why);
    }
    if (ordinal < 0 || ordinal >= count) {
        throw Error(ErrorCode::device_unavailable,
                    fmt::format("there is no CUDA device {}: devices 0 to {} are here", ordinal, count - 1));
    }
    check(cudaSetDevice(ordinal), "cudaSetDevice");
    check(cudaFree(nullptr), "creating the context");
}

std::string pci_bus_id(int ordinal) {
    std::array<char, 32> id{};
    check(cudaDeviceGetPCIBusId(id.data(), static_cast<int>(id.size()), ordinal), "cudaDeviceGetPCIBusId");
    return id.data();
}

Capabilities describe(int ordinal, const Nvml& nvml, bool process_memory) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
    Capabilities capabilities;
    capabilities.backend = "cuda";
    capabilities.name = properties.name;
    capabilities.total_bytes = static_cast<Bytes>(properties.totalGlobalMem);
    capabilities.l2_bytes = properties.l2CacheSize;
    capabilities.driver = nvml.driver_version();
    capabilities.libraries = library_versions();
    capabilities.measures_process_memory = process_memory && nvml.used_by_process().has_value();
    return capabilities;
}

}  // namespace graphplan::cuda

namespace graphplan {

CudaDevices list_cuda_devices() {
    CudaDevices found;
    const int count = cuda::count_devices(found.unavailable);
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        // No context: it takes memory, which a full GPU hasn't, and some GPUs let one process have one.
        found.devices.push_back(cuda::describe(ordinal, cuda::Nvml(cuda::pci_bus_id(ordinal)), false));
    }
    return found;
}

}  // namespace graphplan
