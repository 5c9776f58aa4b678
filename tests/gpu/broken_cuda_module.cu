// The CUDA backend with a defect: gelu writes to an address that nobody has. GRAPHPLAN_BREAK says when:
// "eager" at every run, "capture" only while a capture records.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "cuda/device/cuda_device.hpp"
#include "cuda_module.hpp"

namespace graphplan {
namespace {

__global__ void write_to(std::uint64_t address) { *reinterpret_cast<volatile int*>(address) = 1; }

bool breaks(const char* when) {
    const char* const wanted = std::getenv("GRAPHPLAN_BREAK");
    return wanted != nullptr && std::string(wanted) == when;
}

class BrokenDevice final : public cuda::CudaDevice {
  public:
    explicit BrokenDevice(const CudaOptions& options) : CudaDevice(options) {
        // Made here: a stream of its own runs its kernel even while another one records.
        cudaStreamCreateWithFlags(&own_, cudaStreamNonBlocking);
    }

    void begin_capture(std::uint64_t stream) override {
        CudaDevice::begin_capture(stream);
        capturing_ = true;
    }
    std::uint64_t end_capture(std::uint64_t stream) override {
        capturing_ = false;
        return CudaDevice::end_capture(stream);
    }
    void abandon_capture(std::uint64_t stream) noexcept override {
        capturing_ = false;
        CudaDevice::abandon_capture(stream);
    }

    void run(const OperatorCall& call, Scratch& scratch, std::uint64_t stream) override {
        CudaDevice::run(call, scratch, stream);
        if (call.kind != OperatorKind::gelu || !breaks(capturing_ ? "capture" : "eager")) return;
        write_to<<<1, 1, 0, own_>>>(16);
        cudaStreamSynchronize(own_);
    }

  private:
    cudaStream_t own_ = nullptr;
    bool capturing_ = false;
};

std::unique_ptr<Device> open_broken(const CudaOptions& options) {
    return std::make_unique<BrokenDevice>(options);
}

}  // namespace
}  // namespace graphplan

extern "C" const graphplan::cli::CudaModule* graphplan_cuda_module() {
    static const std::string revision(graphplan::git_revision());
    static const graphplan::cli::CudaModule module{revision.c_str(), graphplan::list_cuda_devices,
                                                   graphplan::open_broken};
    return &module;
}
