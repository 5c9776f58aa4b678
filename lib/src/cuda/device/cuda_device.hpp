// A GPU behind the device interface. Numbers of objects are CUDA's own handles.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <string_view>

#include "cuda/device/capture_log.hpp"
#include "cuda/device/known_objects.hpp"
#include "cuda/device/nvml.hpp"
#include "cuda/device/reserved_ranges.hpp"
#include "cuda/operators/operators.hpp"
#include "graphplan/cuda.hpp"

namespace graphplan::cuda {

class CudaDevice : public Device {
  public:
    explicit CudaDevice(const CudaOptions& options);
    ~CudaDevice() override;

    const Capabilities& capabilities() const noexcept override { return capabilities_; }
    MemoryInfo memory() override;
    ClockState clocks() override;

    Address allocate(Bytes bytes) override;
    void release(Address address, Bytes bytes) noexcept override;
    Address reserve() override;
    void map(Address address, Bytes bytes) override;
    void unmap(Address address, Bytes bytes) noexcept override;

    std::uint64_t create_stream() override;
    std::uint64_t create_event() override;
    void destroy_stream(std::uint64_t stream) noexcept override;
    void destroy_event(std::uint64_t event) noexcept override;
    void destroy_graph(std::uint64_t graph) noexcept override;
    void destroy_executable(std::uint64_t executable) noexcept override;

    void synchronize(std::uint64_t stream) override;
    void record(std::uint64_t event, std::uint64_t stream) override;
    void wait(std::uint64_t stream, std::uint64_t event) override;
    double elapsed_us(std::uint64_t start, std::uint64_t end) override;

    void begin_capture(std::uint64_t stream) override;
    std::uint64_t end_capture(std::uint64_t stream) override;
    void abandon_capture(std::uint64_t stream) noexcept override;
    NodeCounts count_nodes(std::uint64_t graph) override;

    std::uint64_t instantiate(std::uint64_t graph) override;
    void launch(std::uint64_t executable, std::uint64_t stream) override;

    void copy(Address to, Address from, Bytes bytes, std::uint64_t stream) override;
    void upload(Address to, const void* from, Bytes bytes, std::uint64_t stream) override;
    void download(void* to, Address from, Bytes bytes, std::uint64_t stream) override;
    void fill(Address to, int byte, Bytes bytes, std::uint64_t stream) override;
    void run(const OperatorCall& call, Scratch& scratch, std::uint64_t stream) override;

    void begin_range(std::string_view label) override;
    void end_range() noexcept override;
    bool poisoned() const noexcept override { return !lost_.empty(); }

  private:
    /// Makes this GPU the thread's and refuses to go on with a lost context.
    void enter() const;
    cudaStream_t stream_of(std::uint64_t stream) const;
    cudaEvent_t event_of(std::uint64_t event) const;
    bool enter_quietly() const noexcept;
    /// Waits for what a stream runs, unless it records. What failed there, the next call tells.
    void finish(std::uint64_t stream) noexcept;
    void finish_all() noexcept;
    /// Throws unless `status` is a success; notes a lost context and a capture's first failure.
    void must(cudaError_t status, std::string_view what, std::uint64_t stream = 0);
    void note_lost(cudaError_t status, std::string_view what);
    void note_lost(const Error& error);
    void refuse_in_capture(std::uint64_t stream, std::string_view what);

    int ordinal_;
    Capabilities capabilities_;
    std::string lost_;  ///< the error that lost the context; empty while it works
    Nvml nvml_;
    ReservedRanges ranges_;
    CaptureLog captures_;
    KnownObjects streams_{"stream"}, events_{"event"}, graphs_{"graph"}, executables_{"executable"};
    Operators operators_;
};

}  // namespace graphplan::cuda
