#include "cuda/device/nvml.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace graphplan::cuda {
namespace {

// NVML's own declarations for the few calls made here (NVML API reference): its header comes with the
// driver's development files, which a build machine needs not have.
using Status = int;
constexpr Status kSuccess = 0;
constexpr Status kInsufficientSize = 7;
constexpr unsigned long long kNotAvailable = std::numeric_limits<unsigned long long>::max();

struct ProcessInfo {
    unsigned pid;
    unsigned long long used_bytes;
    unsigned gpu_instance;
    unsigned compute_instance;
};

}  // namespace

struct Nvml::Library {
    void* handle = nullptr;
    Status (*init)() = nullptr;
    Status (*shutdown)() = nullptr;
    Status (*device_by_pci)(const char*, void**) = nullptr;
    Status (*compute_processes)(void*, unsigned*, ProcessInfo*) = nullptr;
    Status (*driver_version)(char*, unsigned) = nullptr;
    bool ready = false;

    Library() : handle(dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL)) {
        if (handle == nullptr) return;
        const bool all = find(init, "nvmlInit_v2") && find(shutdown, "nvmlShutdown") &&
                         find(device_by_pci, "nvmlDeviceGetHandleByPciBusId_v2") &&
                         find(compute_processes, "nvmlDeviceGetComputeRunningProcesses_v3") &&
                         find(driver_version, "nvmlSystemGetDriverVersion");
        ready = all && init() == kSuccess;
    }
    ~Library() {
        if (ready) shutdown();
        if (handle != nullptr) dlclose(handle);
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    template <class Function>
    bool find(Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(handle, name));
        return function != nullptr;
    }
};

Nvml::Nvml(const std::string& pci_bus_id) : library_(std::make_unique<Library>()) {
    if (library_->ready && library_->device_by_pci(pci_bus_id.c_str(), &device_) != kSuccess)
        device_ = nullptr;
}

Nvml::~Nvml() = default;

std::optional<Bytes> Nvml::used_by_process() const {
    if (device_ == nullptr) return std::nullopt;
    std::vector<ProcessInfo> processes(16);
    Status status = kInsufficientSize;
    // Processes may start between two calls: the list is asked for until it fits.
    for (int tries = 0; status == kInsufficientSize && tries < 8; ++tries) {
        auto count = static_cast<unsigned>(processes.size());
        status = library_->compute_processes(device_, &count, processes.data());
        if (status == kInsufficientSize) {
            processes.resize(2 * std::max<std::size_t>(count, processes.size()));
        } else {
            processes.resize(count);
        }
    }
    if (status != kSuccess) return std::nullopt;
    const auto own = static_cast<unsigned>(getpid());
    for (const ProcessInfo& process : processes) {
        if (process.pid == own && process.used_bytes != kNotAvailable)
            return static_cast<Bytes>(process.used_bytes);
    }
    return std::nullopt;
}

std::string Nvml::driver_version() const {
    std::array<char, 96> version{};
    if (!library_->ready || library_->driver_version(version.data(), version.size()) != kSuccess) return "";
    return version.data();
}

}  // namespace graphplan::cuda
