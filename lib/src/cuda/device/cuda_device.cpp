#include "cuda/device/cuda_device.hpp"

#include <fmt/format.h>
#include <nvtx3/nvToolsExt.h>

#include "cuda/device/describe.hpp"
#include "cuda/device/lost_context.hpp"
#include "cuda/device/relaxed_capture.hpp"
#include "cuda/operators/status.hpp"

namespace graphplan::cuda {
namespace {

template <class Handle>
Handle as(std::uint64_t number) noexcept {
    return reinterpret_cast<Handle>(number);
}

template <class Handle>
std::uint64_t number_of(Handle handle) noexcept {
    return reinterpret_cast<std::uint64_t>(handle);
}

void* pointer(Address address) noexcept { return reinterpret_cast<void*>(address); }

/// A library's own error says nothing of CUDA's: the runtime's last error gives it a code.
Error with_code(const Error& error, cudaError_t last) {
    if (error.device_code() || last == cudaSuccess) return error;
    return {error.code(), error.what(), static_cast<int>(last)};
}

int selected(int ordinal) {
    select(ordinal);
    return ordinal;
}

}  // namespace

CudaDevice::CudaDevice(const CudaOptions& options)
    : ordinal_(selected(options.ordinal)), nvml_(pci_bus_id(ordinal_)), ranges_(ordinal_) {
    capabilities_ = describe(ordinal_, nvml_, options.process_memory);
}

CudaDevice::~CudaDevice() {
    if (ranges_.any_mapped() && enter_quietly()) finish_all();
}

void CudaDevice::enter() const {
    if (!lost_.empty()) {
        throw Error(ErrorCode::device,
                    fmt::format("the CUDA context of device {} is lost since {}; only a new "
                                "process can use the device",
                                ordinal_, lost_));
    }
    cudaSetDevice(ordinal_);
}

cudaStream_t CudaDevice::stream_of(std::uint64_t stream) const {
    streams_.require(stream);
    return as<cudaStream_t>(stream);
}

cudaEvent_t CudaDevice::event_of(std::uint64_t event) const {
    events_.require(event);
    return as<cudaEvent_t>(event);
}

bool CudaDevice::enter_quietly() const noexcept {
    return lost_.empty() && cudaSetDevice(ordinal_) == cudaSuccess;
}

void CudaDevice::note_lost(cudaError_t status, std::string_view what) {
    if (lost_.empty() && loses_context(status)) {
        lost_ = fmt::format("{} failed: {} ({})", what, cudaGetErrorName(status), cudaGetErrorString(status));
    }
}

void CudaDevice::note_lost(const Error& error) {
    if (lost_.empty() && loses_context(error.device_code().value_or(cudaSuccess))) lost_ = error.what();
}

void CudaDevice::must(cudaError_t status, std::string_view what, std::uint64_t stream) {
    if (status == cudaSuccess) return;
    cudaGetLastError();  // or the next launch would report it again
    note_lost(status, what);
    try {
        check(status, what);
    } catch (const Error& error) {
        captures_.failed(stream, error);
        throw;
    }
}

void CudaDevice::refuse_in_capture(std::uint64_t stream, std::string_view what) {
    if (!captures_.capturing(stream)) return;
    const Error refused(ErrorCode::device, fmt::format("{} cannot be part of a capture", what),
                        static_cast<int>(cudaErrorStreamCaptureUnsupported));
    captures_.failed(stream, refused);
    throw refused;
}

ClockState CudaDevice::clocks() { return nvml_.clocks(); }

std::uint64_t CudaDevice::create_stream() {
    enter();
    cudaStream_t stream = nullptr;
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return streams_.add(number_of(stream));
}

std::uint64_t CudaDevice::create_event() {
    enter();
    cudaEvent_t event = nullptr;
    must(cudaEventCreate(&event), "cudaEventCreate");
    return events_.add(number_of(event));
}

void CudaDevice::destroy_stream(std::uint64_t stream) noexcept {
    if (!streams_.remove(stream) || !enter_quietly()) return;
    if (ranges_.any_mapped()) finish(stream);  // unmap can't wait for it any more
    cudaStreamDestroy(as<cudaStream_t>(stream));
}

void CudaDevice::destroy_event(std::uint64_t event) noexcept {
    if (events_.remove(event) && enter_quietly()) cudaEventDestroy(as<cudaEvent_t>(event));
}

void CudaDevice::destroy_graph(std::uint64_t graph) noexcept {
    if (graphs_.remove(graph) && enter_quietly()) cudaGraphDestroy(as<cudaGraph_t>(graph));
}

void CudaDevice::destroy_executable(std::uint64_t executable) noexcept {
    if (executables_.remove(executable) && enter_quietly())
        cudaGraphExecDestroy(as<cudaGraphExec_t>(executable));
}

void CudaDevice::synchronize(std::uint64_t stream) {
    enter();
    refuse_in_capture(stream, "synchronizing its stream");
    const RelaxedCapture relaxed;
    must(cudaStreamSynchronize(stream_of(stream)), "cudaStreamSynchronize");
}

void CudaDevice::record(std::uint64_t event, std::uint64_t stream) {
    enter();
    must(cudaEventRecord(event_of(event), stream_of(stream)), "cudaEventRecord", stream);
}

void CudaDevice::wait(std::uint64_t stream, std::uint64_t event) {
    enter();
    // A stream that joins a capture so is none that unmap can wait for.
    if (captures_.any() && ranges_.any_mapped()) finish(stream);
    must(cudaStreamWaitEvent(stream_of(stream), event_of(event), 0), "cudaStreamWaitEvent", stream);
}

double CudaDevice::elapsed_us(std::uint64_t start, std::uint64_t end) {
    enter();
    float milliseconds = 0;
    must(cudaEventElapsedTime(&milliseconds, event_of(start), event_of(end)), "cudaEventElapsedTime");
    return 1000.0 * static_cast<double>(milliseconds);
}

void CudaDevice::copy(Address to, Address from, Bytes bytes, std::uint64_t stream) {
    enter();
    must(cudaMemcpyAsync(pointer(to), pointer(from), static_cast<std::size_t>(bytes),
                         cudaMemcpyDeviceToDevice, stream_of(stream)),
         "cudaMemcpyAsync", stream);
}

void CudaDevice::upload(Address to, const void* from, Bytes bytes, std::uint64_t stream) {
    enter();
    refuse_in_capture(stream, "an upload from host memory");
    must(cudaMemcpyAsync(pointer(to), from, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice,
                         stream_of(stream)),
         "cudaMemcpyAsync");
}

void CudaDevice::download(void* to, Address from, Bytes bytes, std::uint64_t stream) {
    enter();
    refuse_in_capture(stream, "a download to host memory");
    must(cudaMemcpyAsync(to, pointer(from), static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost,
                         stream_of(stream)),
         "cudaMemcpyAsync");
    synchronize(stream);
}

void CudaDevice::fill(Address to, int byte, Bytes bytes, std::uint64_t stream) {
    enter();
    must(cudaMemsetAsync(pointer(to), byte, static_cast<std::size_t>(bytes), stream_of(stream)),
         "cudaMemsetAsync", stream);
}

void CudaDevice::run(const OperatorCall& call, Scratch& scratch, std::uint64_t stream) {
    enter();
    try {
        operators_.run(call, scratch, stream_of(stream), captures_.capturing(stream));
    } catch (const Error& error) {
        // Refused operands enqueued nothing: a capture goes on without them.
        if (error.code() == ErrorCode::invalid_argument) throw;
        const cudaError_t status = cudaGetLastError();
        note_lost(status, to_string(call.kind));
        const Error told = with_code(error, status);
        captures_.failed(stream, told);
        throw told;
    }
}

void CudaDevice::begin_range(std::string_view label) { nvtxRangePushA(std::string(label).c_str()); }

void CudaDevice::end_range() noexcept { nvtxRangePop(); }

}  // namespace graphplan::cuda

namespace graphplan {

std::unique_ptr<Device> make_cuda_device(const CudaOptions& options) {
    return std::make_unique<cuda::CudaDevice>(options);
}

}  // namespace graphplan
