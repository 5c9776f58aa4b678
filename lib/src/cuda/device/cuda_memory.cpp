// Memory of the CUDA device.
#include <fmt/format.h>

#include "cuda/device/cuda_device.hpp"
#include "cuda/device/relaxed_capture.hpp"

namespace graphplan::cuda {

MemoryInfo CudaDevice::memory() {
    enter();
    std::size_t free = 0;
    std::size_t total = 0;
    must(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    MemoryInfo info{static_cast<Bytes>(free), static_cast<Bytes>(total), std::nullopt};
    if (capabilities_.measures_process_memory) info.used_by_process = nvml_.used_by_process();
    return info;
}

Address CudaDevice::allocate(Bytes bytes) {
    enter();
    const RelaxedCapture relaxed;
    void* memory = nullptr;
    const cudaError_t status = cudaMalloc(&memory, static_cast<std::size_t>(bytes));
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw Error(ErrorCode::out_of_memory,
                    fmt::format("cudaMalloc of {} failed: cudaErrorMemoryAllocation, with {} free",
                                format_bytes(bytes), format_bytes(this->memory().free_bytes)),
                    static_cast<int>(status));
    }
    must(status, "cudaMalloc");
    return reinterpret_cast<Address>(memory);
}

void CudaDevice::release(Address address, Bytes) noexcept {
    if (!enter_quietly()) return;
    const RelaxedCapture relaxed;
    cudaFree(reinterpret_cast<void*>(address));
}

Address CudaDevice::reserve() {
    enter();
    try {
        return ranges_.reserve();
    } catch (const Error& error) {
        note_lost(error);
        throw;
    }
}

void CudaDevice::map(Address address, Bytes bytes) {
    enter();
    const RelaxedCapture relaxed;
    try {
        ranges_.map(address, bytes);
    } catch (const Error& error) {
        note_lost(error);
        throw;
    }
}

void CudaDevice::finish(std::uint64_t stream) noexcept {
    const RelaxedCapture relaxed;
    const auto handle = reinterpret_cast<cudaStream_t>(stream);
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    cudaError_t status = cudaStreamIsCapturing(handle, &capture);
    if (status == cudaSuccess && capture == cudaStreamCaptureStatusNone)
        status = cudaStreamSynchronize(handle);
    if (status != cudaSuccess) cudaGetLastError();
}

// One by one: to wait for the whole device would break every capture on it, another thread's too.
void CudaDevice::finish_all() noexcept {
    for (const std::uint64_t stream : streams_.all()) finish(stream);
}

// Unlike cudaFree, cuMemUnmap doesn't wait for kernels that still use the memory.
void CudaDevice::unmap(Address address, Bytes bytes) noexcept {
    if (!enter_quietly()) return;
    finish_all();
    const RelaxedCapture relaxed;
    ranges_.unmap(address, bytes);
}

}  // namespace graphplan::cuda
