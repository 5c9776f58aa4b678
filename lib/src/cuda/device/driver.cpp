#include "cuda/device/driver.hpp"

#include <cuda_runtime.h>
#include <fmt/format.h>

#include "graphplan/base.hpp"

namespace graphplan::cuda {
namespace {

template <class Function>
void find(Function& function, const char* name) {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    constexpr unsigned version = 12000;
    const cudaError_t status =
        cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &result);
#else
    const cudaError_t status = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#endif
    if (status != cudaSuccess || result != cudaDriverEntryPointSuccess) {
        throw Error(ErrorCode::device,
                    fmt::format("the driver has no {}: install a driver for CUDA 12 or later", name));
    }
    function = reinterpret_cast<Function>(found);
}

Driver load() {
    Driver driver{};
    find(driver.reserve, "cuMemAddressReserve");
    find(driver.free_range, "cuMemAddressFree");
    find(driver.create, "cuMemCreate");
    find(driver.release, "cuMemRelease");
    find(driver.map, "cuMemMap");
    find(driver.unmap, "cuMemUnmap");
    find(driver.set_access, "cuMemSetAccess");
    find(driver.error_name, "cuGetErrorName");
    return driver;
}

}  // namespace

const Driver& driver() {
    static const Driver loaded = load();
    return loaded;
}

void check(CUresult status, std::string_view what) {
    if (status == CUDA_SUCCESS) return;
    const char* name = nullptr;
    driver().error_name(status, &name);
    throw Error(status == CUDA_ERROR_OUT_OF_MEMORY ? ErrorCode::out_of_memory : ErrorCode::device,
                fmt::format("{} failed: {}", what, name != nullptr ? name : "unknown error"),
                static_cast<int>(status));
}

}  // namespace graphplan::cuda
