#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.hpp"
#include "graphplan/sim.hpp"

namespace graphplan {
namespace {

/// Counts calls against a script of faults.
class FaultScript {
  public:
    explicit FaultScript(std::vector<Fault> faults) {
        for (Fault& fault : faults) entries_.push_back({std::move(fault), 0});
    }

    /// Counts one call; the fault that it meets, or null.
    const Fault* meet(Fault::Operation operation) {
        const Fault* met = nullptr;
        for (Entry& entry : entries_) {
            if (entry.fault.operation != operation || !within(entry.fault.range)) continue;
            std::int64_t call = entry.calls++;
            bool happens = call == entry.fault.call || (entry.fault.repeats && call > entry.fault.call);
            if (happens && met == nullptr) met = &entry.fault;
        }
        return met;
    }

    void begin_range(std::string_view label) { ranges_.emplace_back(label); }
    void end_range() noexcept {
        if (!ranges_.empty()) ranges_.pop_back();
    }
    std::string here() const { return ranges_.empty() ? "" : fmt::format(" in {}", quoted(ranges_.back())); }

  private:
    struct Entry {
        Fault fault;
        std::int64_t calls = 0;
    };

    bool within(const std::string& range) const {
        if (range.empty()) return true;
        return std::any_of(ranges_.begin(), ranges_.end(),
                           [&](const std::string& label) { return label.find(range) != std::string::npos; });
    }

    std::vector<Entry> entries_;
    std::vector<std::string> ranges_;
};

/// What CUDA says of such a failure (cudaError).
int usual_code(const Fault& fault) {
    constexpr int out_of_memory = 2, illegal_address = 700, launch_out_of_resources = 701,
                  capture_unsupported = 900, unknown = 999;
    if (fault.effect == Fault::Effect::out_of_memory) return out_of_memory;
    if (fault.effect == Fault::Effect::poisons) return illegal_address;
    switch (fault.operation) {
        case Fault::Operation::run: return launch_out_of_resources;
        case Fault::Operation::begin_capture:
        case Fault::Operation::capture_run:
        case Fault::Operation::end_capture: return capture_unsupported;
        default: return unknown;
    }
}

using Operation = Fault::Operation;

class FaultyDevice final : public Device {
  public:
    FaultyDevice(std::unique_ptr<Device> device, std::vector<Fault> faults)
        : device_(std::move(device)), script_(std::move(faults)) {}

    const Capabilities& capabilities() const noexcept override { return device_->capabilities(); }
    MemoryInfo memory() override {
        inject(Operation::memory, "reading the device's memory");
        return device_->memory();
    }
    ClockState clocks() override { return alive().clocks(); }

    Address allocate(Bytes bytes) override {
        inject(Operation::allocate, fmt::format("allocating {}", format_bytes(bytes)));
        return alive().allocate(bytes);
    }
    void release(Address address, Bytes bytes) noexcept override { device_->release(address, bytes); }
    Address reserve() override { return alive().reserve(); }
    void map(Address address, Bytes bytes) override {
        inject(Operation::allocate, fmt::format("mapping {}", format_bytes(bytes)));
        alive().map(address, bytes);
    }
    void unmap(Address address, Bytes bytes) noexcept override { device_->unmap(address, bytes); }

    std::uint64_t create_stream() override {
        inject(Operation::create_stream, "creating a stream");
        return device_->create_stream();
    }
    std::uint64_t create_event() override {
        inject(Operation::create_event, "creating an event");
        return device_->create_event();
    }
    void destroy_stream(std::uint64_t stream) noexcept override {
        captures_.erase(stream);
        device_->destroy_stream(stream);
    }
    void destroy_event(std::uint64_t event) noexcept override { device_->destroy_event(event); }
    void destroy_graph(std::uint64_t graph) noexcept override { device_->destroy_graph(graph); }
    void destroy_executable(std::uint64_t executable) noexcept override {
        device_->destroy_executable(executable);
    }

    void synchronize(std::uint64_t stream) override {
        inject_on(stream, Operation::synchronize, "synchronizing a stream");
        device_->synchronize(stream);
    }
    void record(std::uint64_t event, std::uint64_t stream) override {
        inject_on(stream, Operation::record, "recording an event");
        device_->record(event, stream);
    }
    void wait(std::uint64_t stream, std::uint64_t event) override {
        inject_on(stream, Operation::wait, "waiting for an event");
        device_->wait(stream, event);
    }
    double elapsed_us(std::uint64_t start, std::uint64_t end) override {
        return alive().elapsed_us(start, end);
    }

    void begin_capture(std::uint64_t stream) override {
        inject(Operation::begin_capture, "beginning a capture");
        alive().begin_capture(stream);
        captures_[stream].reset();
    }
    std::uint64_t end_capture(std::uint64_t stream) override;
    void abandon_capture(std::uint64_t stream) noexcept override {
        captures_.erase(stream);
        device_->abandon_capture(stream);
    }
    NodeCounts count_nodes(std::uint64_t graph) override {
        inject(Operation::count_nodes, "counting a graph's nodes");
        return device_->count_nodes(graph);
    }

    std::uint64_t instantiate(std::uint64_t graph) override {
        inject(Operation::instantiate, "instantiating a graph");
        return alive().instantiate(graph);
    }
    void launch(std::uint64_t executable, std::uint64_t stream) override {
        inject(Operation::launch, "launching a graph");
        alive().launch(executable, stream);
    }

    void copy(Address to, Address from, Bytes bytes, std::uint64_t stream) override {
        inject_on(stream, Operation::copy, fmt::format("copying {}", format_bytes(bytes)));
        device_->copy(to, from, bytes, stream);
    }
    void upload(Address to, const void* from, Bytes bytes, std::uint64_t stream) override {
        inject_on(stream, Operation::upload, fmt::format("uploading {}", format_bytes(bytes)));
        device_->upload(to, from, bytes, stream);
    }
    void download(void* to, Address from, Bytes bytes, std::uint64_t stream) override {
        inject_on(stream, Operation::download, fmt::format("downloading {}", format_bytes(bytes)));
        device_->download(to, from, bytes, stream);
    }
    void fill(Address to, int byte, Bytes bytes, std::uint64_t stream) override {
        inject_on(stream, Operation::fill, fmt::format("filling {}", format_bytes(bytes)));
        device_->fill(to, byte, bytes, stream);
    }
    void run(const OperatorCall& call, Scratch& scratch, std::uint64_t stream) override;

    void begin_range(std::string_view label) override {
        alive().begin_range(label);
        script_.begin_range(label);
    }
    void end_range() noexcept override {
        script_.end_range();
        device_->end_range();
    }
    bool poisoned() const noexcept override { return !poison_.empty() || device_->poisoned(); }

  private:
    /// The device below, unless a fault has poisoned this one.
    Device& alive() {
        if (poison_.empty()) return *device_;
        throw Error(ErrorCode::device, fmt::format("the device's context is lost since an earlier error: {}; "
                                                   "only a new process can use the device again",
                                                   poison_));
    }

    /// Counts one call and throws if the script says that it fails.
    void inject(Operation operation, const std::string& what);
    /// The same of a stream, whose capture it fails.
    void inject_on(std::uint64_t stream, Operation operation, const std::string& what);
    [[noreturn]] void fail(const Fault& fault, const std::string& what);

    std::unique_ptr<Device> device_;
    FaultScript script_;
    std::string poison_;
    std::map<std::uint64_t, std::optional<Error>> captures_;  ///< open ones, each with its first error
};

void FaultyDevice::inject(Operation operation, const std::string& what) {
    alive();
    if (const Fault* fault = script_.meet(operation)) fail(*fault, what);
}

void FaultyDevice::inject_on(std::uint64_t stream, Operation operation, const std::string& what) {
    try {
        inject(operation, what);
    } catch (const Error& error) {
        const auto capture = captures_.find(stream);
        if (capture != captures_.end() && !capture->second) capture->second = error;
        throw;
    }
}

void FaultyDevice::fail(const Fault& fault, const std::string& what) {
    std::string message =
        fmt::format("{} failed{}: the injected fault {}", what, script_.here(), quoted(to_string(fault)));
    if (fault.effect == Fault::Effect::poisons) poison_ = message;
    throw Error(fault.effect == Fault::Effect::out_of_memory ? ErrorCode::out_of_memory : ErrorCode::device,
                message, fault.code.value_or(usual_code(fault)));
}

void FaultyDevice::run(const OperatorCall& call, Scratch& scratch, std::uint64_t stream) {
    const bool capturing = captures_.count(stream) != 0;
    inject_on(stream, capturing ? Operation::capture_run : Operation::run,
              fmt::format("{} {}", capturing ? "capturing" : "running", to_string(call.kind)));
    device_->run(call, scratch, stream);
}

std::uint64_t FaultyDevice::end_capture(std::uint64_t stream) {
    auto capture = captures_.extract(stream);
    try {
        alive();
        const Fault* fault = script_.meet(Operation::end_capture);
        if (capture && capture.mapped()) {
            const Error& first = *capture.mapped();
            throw Error(ErrorCode::device, fmt::format("the capture failed: {}", first.what()),
                        first.device_code());
        }
        if (fault != nullptr) fail(*fault, "ending a capture");
    } catch (const Error&) {
        device_->abandon_capture(stream);
        throw;
    }
    return device_->end_capture(stream);
}

}  // namespace

std::unique_ptr<Device> with_faults(std::unique_ptr<Device> device, std::vector<Fault> faults) {
    if (device == nullptr) throw Error(ErrorCode::invalid_argument, "with_faults needs a device");
    return std::make_unique<FaultyDevice>(std::move(device), std::move(faults));
}

}  // namespace graphplan
