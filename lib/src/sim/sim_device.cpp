#include "sim/sim_device.hpp"

#include <fmt/format.h>

#include <cstring>

namespace graphplan::sim {
namespace {

// Device codes of errors are those of CUDA (cudaError).
constexpr int kIllegalAddress = 700;
constexpr int kNotSupported = 801;
constexpr double kHostBytesPerSecond = 25e9;  // PCIe 4.0 ×16, as programs see it

Capabilities capabilities_of(const SimOptions& options) {
    Capabilities capabilities;
    capabilities.backend = "sim";
    capabilities.name = options.profile.device;
    capabilities.total_bytes = options.profile.total_bytes;
    capabilities.l2_bytes = options.profile.l2_bytes;
    capabilities.captures_graphs = options.captures_graphs;
    capabilities.measures_process_memory = options.measures_process_memory;
    capabilities.computes = false;
    return capabilities;
}

const SimOptions& checked(const SimOptions& options) {
    const SimProfile& profile = options.profile;
    bool moves = profile.bytes_per_second > 0 && profile.flops_f32 > 0 && profile.flops_16bit > 0 &&
                 profile.launch_us >= 0 && profile.graph_node_us >= 0;
    if (moves && profile.first_capture_bytes >= 0 && options.neighbour_bytes >= 0) return options;
    throw Error(ErrorCode::invalid_argument,
                "a simulated device needs rates above 0 and times and bytes of at least 0: start from "
                "sim_profile(\"h200\")");
}

[[noreturn]] void no_such(std::string_view what, std::uint64_t id) {
    throw Error(ErrorCode::device, fmt::format("the device has no {} number {}", what, id));
}

}  // namespace

SimDevice::SimDevice(const SimOptions& options)
    : options_(checked(options)),
      capabilities_(capabilities_of(options)),
      memory_(options.profile.total_bytes, options.profile.context_bytes, options.taken_bytes),
      neighbours_(options.seed, options.neighbour_bytes) {}

void SimDevice::require_alive() const {
    if (poison_.empty()) return;
    throw Error(ErrorCode::device,
                fmt::format("the device's context is lost since an earlier error: {}; only "
                            "a new process can use the device again",
                            poison_));
}

void SimDevice::require_stream(std::uint64_t stream) const {
    require_alive();
    if (!clock_.has(stream)) no_such("stream", stream);
}

SimDevice::Event& SimDevice::event(std::uint64_t id) {
    auto found = events_.find(id);
    if (found == events_.end()) no_such("event", id);
    return found->second;
}

const GraphRecord& SimDevice::graph(std::uint64_t id) const {
    require_alive();
    auto found = graphs_.find(id);
    if (found == graphs_.end()) no_such("graph", id);
    return found->second;
}

MemoryInfo SimDevice::memory() {
    require_alive();
    neighbours_.move(memory_);
    MemoryInfo info{memory_.free_bytes(), memory_.total_bytes(), std::nullopt};
    if (options_.measures_process_memory) info.used_by_process = memory_.process_bytes();
    return info;
}

Address SimDevice::allocate(Bytes bytes) {
    require_alive();
    return memory_.allocate(bytes);
}

void SimDevice::release(Address address, Bytes) noexcept { memory_.release(address); }

Address SimDevice::reserve() {
    require_alive();
    return memory_.reserve();
}

void SimDevice::map(Address address, Bytes bytes) {
    require_alive();
    memory_.map(address, bytes);
}

void SimDevice::unmap(Address address, Bytes bytes) noexcept { memory_.unmap(address, bytes); }

std::uint64_t SimDevice::create_stream() {
    require_alive();
    clock_.add_stream(++last_id_);
    return last_id_;
}

std::uint64_t SimDevice::create_event() {
    require_alive();
    events_[++last_id_] = {};
    return last_id_;
}

void SimDevice::destroy_stream(std::uint64_t stream) noexcept {
    captures_.abandon(stream);
    clock_.remove_stream(stream);
}

void SimDevice::destroy_event(std::uint64_t event) noexcept { events_.erase(event); }

void SimDevice::destroy_graph(std::uint64_t graph) noexcept { graphs_.erase(graph); }

void SimDevice::destroy_executable(std::uint64_t executable) noexcept {
    auto found = executables_.find(executable);
    if (found == executables_.end()) return;
    executable_memory_.remove(found->second.nodes.kernels);
    executables_.erase(found);
}

void SimDevice::synchronize(std::uint64_t stream) {
    require_stream(stream);
    captures_.refuse(stream, "synchronizing");
    clock_.synchronize(stream);
}

void SimDevice::record(std::uint64_t id, std::uint64_t stream) {
    require_stream(stream);
    Event& recorded = event(id);
    recorded.mark = captures_.mark(stream);
    recorded.time.reset();
    if (recorded.mark.capture == 0) recorded.time = clock_.now(stream);
}

void SimDevice::wait(std::uint64_t stream, std::uint64_t id) {
    require_stream(stream);
    const Event& awaited = event(id);
    captures_.wait(stream, awaited.mark);
    if (awaited.time) clock_.wait(stream, *awaited.time);
}

double SimDevice::elapsed_us(std::uint64_t start, std::uint64_t end) {
    require_alive();
    const Event& first = event(start);
    const Event& second = event(end);
    if (!first.time || !second.time) {
        throw Error(ErrorCode::device, "the time between two events needs both recorded, outside captures");
    }
    if (*first.time > clock_.host() || *second.time > clock_.host()) {
        throw Error(ErrorCode::device, "an event has not happened yet: synchronize its stream first");
    }
    return *second.time - *first.time;
}

void SimDevice::begin_capture(std::uint64_t stream) {
    require_stream(stream);
    if (!options_.captures_graphs) {
        throw Error(ErrorCode::device, fmt::format("{} captures no graphs", capabilities_.name),
                    kNotSupported);
    }
    if (!captured_before_)
        memory_.take(options_.profile.first_capture_bytes, "the first capture of a process");
    captured_before_ = true;
    captures_.begin(stream);
}

std::uint64_t SimDevice::end_capture(std::uint64_t stream) {
    require_stream(stream);
    graphs_[last_id_ + 1] = captures_.end(stream);
    return ++last_id_;
}

void SimDevice::abandon_capture(std::uint64_t stream) noexcept { captures_.abandon(stream); }

NodeCounts SimDevice::count_nodes(std::uint64_t id) { return graph(id).nodes; }

std::uint64_t SimDevice::instantiate(std::uint64_t id) {
    const GraphRecord& record = graph(id);
    executable_memory_.add(record.nodes.kernels, memory_);
    executables_[++last_id_] = record;
    return last_id_;
}

void SimDevice::launch(std::uint64_t executable, std::uint64_t stream) {
    require_stream(stream);
    captures_.refuse(stream, "launching an executable");
    auto found = executables_.find(executable);
    if (found == executables_.end()) no_such("executable", executable);
    const GraphRecord& record = found->second;
    require_memory(record.touched, "a graph");
    clock_.issue(stream, 1, options_.profile.launch_us, record.work_us + gaps_us(record));
}

// The device pauses between two kernels, whether a graph or a stream holds them.
double SimDevice::gaps_us(const GraphRecord& record) const noexcept {
    return options_.profile.graph_node_us * static_cast<double>(record.nodes.total());
}

void SimDevice::require_memory(const Extents& touched, std::string_view what) {
    for (auto [begin, end] : touched.ends()) {
        if (memory_.holds(begin, static_cast<Bytes>(end - begin))) continue;
        poison_ =
            fmt::format("{} made an illegal memory access: {} bytes at {:#x} are not all this process's",
                        what, end - begin, begin);
        throw Error(ErrorCode::device, poison_, kIllegalAddress);
    }
}

void SimDevice::enqueue(const GraphRecord& nodes, std::uint64_t stream, std::string_view what) {
    if (captures_.capturing(stream)) {
        append(captures_.recording(stream), nodes);
        return;
    }
    require_memory(nodes.touched, what);
    clock_.issue(stream, nodes.nodes.total(), options_.profile.launch_us, nodes.work_us + gaps_us(nodes));
}

void SimDevice::copy(Address to, Address from, Bytes bytes, std::uint64_t stream) {
    require_stream(stream);
    enqueue(record_of_copy(to, from, bytes, options_.profile), stream, "a copy");
}

void SimDevice::fill(Address to, int, Bytes bytes, std::uint64_t stream) {
    require_stream(stream);
    enqueue(record_of_fill(to, bytes, options_.profile), stream, "a fill");
}

double SimDevice::transfer_us(Bytes bytes) const noexcept {
    return 1e6 * static_cast<double>(bytes) / kHostBytesPerSecond;
}

void SimDevice::upload(Address to, const void*, Bytes bytes, std::uint64_t stream) {
    require_stream(stream);
    captures_.refuse(stream, "uploading");
    Extents touched;
    touched.add(to, bytes);
    require_memory(touched, "an upload");
    clock_.issue(stream, 1, options_.profile.launch_us, transfer_us(bytes));
}

void SimDevice::download(void* to, Address from, Bytes bytes, std::uint64_t stream) {
    require_stream(stream);
    captures_.refuse(stream, "downloading");
    Extents touched;
    touched.add(from, bytes);
    require_memory(touched, "a download");
    clock_.issue(stream, 1, options_.profile.launch_us, transfer_us(bytes));
    clock_.synchronize(stream);
    if (bytes > 0) std::memset(to, 0, static_cast<std::size_t>(bytes));
}

void SimDevice::run(const OperatorCall& call, Scratch& scratch, std::uint64_t stream) {
    require_stream(stream);
    Work work = work_of(call);
    if (work.matrix_library) scratch.workspace(kMatrixLibrary, kMatrixWorkspace);
    for (Bytes bytes : work.temporaries) scratch.temporary(bytes);
    enqueue(record_of(call, work, options_.profile), stream, to_string(call.kind));
}

void SimDevice::begin_range(std::string_view) { require_alive(); }

}  // namespace graphplan::sim

namespace graphplan {

std::unique_ptr<Device> make_sim_device(const SimOptions& options) {
    return std::make_unique<sim::SimDevice>(options);
}

}  // namespace graphplan
