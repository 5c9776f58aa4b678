// The simulated GPU: puts memory, executables, captures, clock and operators together.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "graphplan/sim.hpp"
#include "sim/captures.hpp"
#include "sim/clock.hpp"
#include "sim/device_memory.hpp"
#include "sim/executable_memory.hpp"
#include "sim/neighbours.hpp"
#include "sim/operators.hpp"

namespace graphplan::sim {

class SimDevice : public Device {
  public:
    explicit SimDevice(const SimOptions& options);

    const Capabilities& capabilities() const noexcept override { return capabilities_; }
    MemoryInfo memory() override;
    ClockState clocks() override { return {}; }

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
    void end_range() noexcept override {}
    bool poisoned() const noexcept override { return !poison_.empty(); }

  private:
    struct Event {
        std::optional<double> time;  ///< when it happens; none before it is recorded, or in a capture
        CaptureMark mark;
    };

    void require_alive() const;
    /// The error of a stream that doesn't exist, or of a lost context.
    void require_stream(std::uint64_t stream) const;
    Event& event(std::uint64_t id);
    const GraphRecord& graph(std::uint64_t id) const;
    /// Runs nodes, or records them where the stream is capturing.
    void enqueue(const GraphRecord& nodes, std::uint64_t stream, std::string_view what);
    /// Reading or writing memory that this process doesn't have loses the context.
    void require_memory(const Extents& touched, std::string_view what);
    double transfer_us(Bytes bytes) const noexcept;
    double gaps_us(const GraphRecord& record) const noexcept;

    SimOptions options_;
    Capabilities capabilities_;
    DeviceMemory memory_;
    Neighbours neighbours_;
    ExecutableMemory executable_memory_;
    Captures captures_;
    Clock clock_;
    std::uint64_t last_id_ = 0;
    std::map<std::uint64_t, Event> events_;
    std::map<std::uint64_t, GraphRecord> graphs_;
    std::map<std::uint64_t, GraphRecord> executables_;
    bool captured_before_ = false;
    std::string poison_;
};

}  // namespace graphplan::sim
