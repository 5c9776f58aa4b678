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

constexpr unsigned kSmClock = 1, kMemoryClock = 2;

struct ThrottleReason {
    unsigned long long bit;
    const char* name;
};
// nvmlClocksEventReasons; idle and application settings are no reason to distrust a measurement.
constexpr std::array<ThrottleReason, 7> kThrottleReasons{{
    {0x4, "sw_power_cap"},
    {0x8, "hw_slowdown"},
    {0x10, "sync_boost"},
    {0x20, "sw_thermal_slowdown"},
    {0x40, "hw_thermal_slowdown"},
    {0x80, "hw_power_brake_slowdown"},
    {0x100, "display_clock_setting"},
}};

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
    Status (*clock)(void*, unsigned, unsigned*) = nullptr;             // may be missing
    Status (*throttle_reasons)(void*, unsigned long long*) = nullptr;  // may be missing
    bool ready = false;

    Library() : handle(dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL)) {
        if (handle == nullptr) return;
        const bool all = find(init, "nvmlInit_v2") && find(shutdown, "nvmlShutdown") &&
                         find(device_by_pci, "nvmlDeviceGetHandleByPciBusId_v2") &&
                         find(compute_processes, "nvmlDeviceGetComputeRunningProcesses_v3") &&
                         find(driver_version, "nvmlSystemGetDriverVersion");
        find(clock, "nvmlDeviceGetClockInfo");
        if (!find(throttle_reasons, "nvmlDeviceGetCurrentClocksEventReasons"))
            find(throttle_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
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

ClockState Nvml::clocks() const {
    ClockState state;
    if (device_ == nullptr) return state;
    const auto read = [&](unsigned kind, std::optional<std::int64_t>& mhz) {
        unsigned value = 0;
        if (library_->clock != nullptr && library_->clock(device_, kind, &value) == kSuccess) mhz = value;
    };
    read(kSmClock, state.sm_mhz);
    read(kMemoryClock, state.memory_mhz);
    unsigned long long reasons = 0;
    if (library_->throttle_reasons == nullptr || library_->throttle_reasons(device_, &reasons) != kSuccess)
        return state;
    for (const ThrottleReason& reason : kThrottleReasons) {
        if ((reasons & reason.bit) != 0) state.held_down_by.emplace_back(reason.name);
    }
    return state;
}

std::string Nvml::driver_version() const {
    std::array<char, 96> version{};
    if (!library_->ready || library_->driver_version(version.data(), version.size()) != kSuccess) return "";
    return version.data();
}

}  // namespace graphplan::cuda
