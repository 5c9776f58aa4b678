// The device interface: memory, streams, capture, graphs, executables and operators.
//
// Every method exists on every backend; what a backend cannot do stands in its Capabilities and its
// method throws. A device belongs to one thread at a time. Handles below own what they name: move-only,
// quiet on destruction, and safe after a poisoned context. They must not outlive their device.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graphplan/memory.hpp"
#include "graphplan/operators.hpp"

namespace graphplan {

/// What a device is and what it can do. Fixed for its lifetime.
struct Capabilities {
    std::string backend;  ///< "cuda" or "sim"
    std::string name;     ///< e.g. "NVIDIA H200"
    Bytes total_bytes = 0;
    std::string driver;  ///< version, empty where there is none
    std::map<std::string, std::string> libraries;
    Bytes l2_bytes = 0;  ///< the cache that all of its memory traffic passes
    bool captures_graphs = true;
    bool measures_process_memory = false;  ///< used_by_process in MemoryInfo is filled
    bool computes = true;                  ///< memory holds contents; false: download gives zeros
};

struct MemoryInfo {
    Bytes free_bytes = 0;  ///< the device's: neighbours move it
    Bytes total_bytes = 0;
    std::optional<Bytes> used_by_process;  ///< this process's own, where it can be read
};

/// What a device tells of its clocks. Nothing here ever changes them.
struct ClockState {
    std::optional<std::int64_t> sm_mhz, memory_mhz;
    std::vector<std::string> held_down_by;  ///< why they are below what was asked, e.g. "sw_power_cap"
};

class Device;

/// Owns one object of a device by its number; 0 owns nothing.
template <void (Device::*Destroy)(std::uint64_t) noexcept>
class DeviceHandle {
  public:
    DeviceHandle() = default;
    DeviceHandle(Device& device, std::uint64_t id) noexcept : device_(&device), id_(id) {}
    DeviceHandle(DeviceHandle&& other) noexcept : device_(other.device_), id_(std::exchange(other.id_, 0)) {}
    DeviceHandle& operator=(DeviceHandle&& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(id_, other.id_);
        return *this;
    }
    ~DeviceHandle() {
        if (id_ != 0) (device_->*Destroy)(id_);
    }
    std::uint64_t id() const noexcept { return id_; }
    explicit operator bool() const noexcept { return id_ != 0; }

  private:
    Device* device_ = nullptr;
    std::uint64_t id_ = 0;
};

class Device : public SegmentSource {
  public:
    virtual const Capabilities& capabilities() const noexcept = 0;
    virtual MemoryInfo memory() = 0;
    virtual ClockState clocks() = 0;

    /// Numbers of new objects, never 0. Prefer the handles below. @throws Error device
    virtual std::uint64_t create_stream() = 0;
    virtual std::uint64_t create_event() = 0;
    virtual void destroy_stream(std::uint64_t stream) noexcept = 0;
    virtual void destroy_event(std::uint64_t event) noexcept = 0;
    virtual void destroy_graph(std::uint64_t graph) noexcept = 0;
    /// The driver keeps an executable's memory and gives it to later ones.
    virtual void destroy_executable(std::uint64_t executable) noexcept = 0;

    /// Waits for a stream's work, and reports what failed in it. @throws Error device
    virtual void synchronize(std::uint64_t stream) = 0;
    virtual void record(std::uint64_t event, std::uint64_t stream) = 0;
    virtual void wait(std::uint64_t stream, std::uint64_t event) = 0;
    /// Microseconds between two recorded events; both must have happened.
    virtual double elapsed_us(std::uint64_t start, std::uint64_t end) = 0;

    /// From here on `stream` records instead of running; other streams and allocations go on. What a
    /// capture refuses (synchronizing its stream, uploads, downloads) fails it: the first such error is
    /// the one that end_capture reports. @throws Error device
    virtual void begin_capture(std::uint64_t stream) = 0;
    /// The number of the recorded graph. A failed capture ends all the same. @throws Error device
    virtual std::uint64_t end_capture(std::uint64_t stream) = 0;
    /// Ends a capture and throws away what it recorded. Harmless on a stream that isn't capturing.
    virtual void abandon_capture(std::uint64_t stream) noexcept = 0;
    virtual NodeCounts count_nodes(std::uint64_t graph) = 0;

    /// The number of an executable made from a graph; the graph stays. @throws Error out_of_memory, device
    virtual std::uint64_t instantiate(std::uint64_t graph) = 0;
    virtual void launch(std::uint64_t executable, std::uint64_t stream) = 0;

    /// Bytes between device and device (copy), host and device (upload, download), and a fill by bytes.
    /// Host memory is the caller's again on return, page-locked memory once the stream is past the upload;
    /// download waits for what the stream did before.
    virtual void copy(Address to, Address from, Bytes bytes, std::uint64_t stream) = 0;
    virtual void upload(Address to, const void* from, Bytes bytes, std::uint64_t stream) = 0;
    virtual void download(void* to, Address from, Bytes bytes, std::uint64_t stream) = 0;
    virtual void fill(Address to, int byte, Bytes bytes, std::uint64_t stream) = 0;

    /// Enqueues an operator; memory for the length of the call comes from `scratch`.
    /// @throws Error invalid_argument for shapes the operator cannot take, out_of_memory, device
    virtual void run(const OperatorCall& call, Scratch& scratch, std::uint64_t stream) = 0;

    /// Names what happens until `end_range`: profilers show it, fault scripts match it. Nests.
    virtual void begin_range(std::string_view label) = 0;
    virtual void end_range() noexcept = 0;

    /// Whether the context is lost: every further call fails, and only a new process helps.
    virtual bool poisoned() const noexcept = 0;
};

using Stream = DeviceHandle<&Device::destroy_stream>;
using Event = DeviceHandle<&Device::destroy_event>;
using Graph = DeviceHandle<&Device::destroy_graph>;
using Executable = DeviceHandle<&Device::destroy_executable>;

/// Begins a capture; its destructor abandons one that `finish` has not handed over.
/// Device and stream outlive it.
class CaptureGuard {
  public:
    CaptureGuard(Device& device, const Stream& stream);
    ~CaptureGuard();
    CaptureGuard(const CaptureGuard&) = delete;
    CaptureGuard& operator=(const CaptureGuard&) = delete;
    Graph finish();

  private:
    Device& device_;
    std::uint64_t stream_;
    bool capturing_ = true;
};

}  // namespace graphplan
