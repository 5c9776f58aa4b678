#include "sim/executable_memory.hpp"

namespace graphplan::sim {
namespace {

constexpr Bytes kBytesPerKernel = 2'337;
constexpr Bytes kBytesPerGraph = 207'700;

}  // namespace

void ExecutableMemory::add(std::int64_t kernels, DeviceMemory& memory) {
    Heap nodes = nodes_;
    Heap graphs = graphs_;
    nodes.used += kernels * kBytesPerKernel;
    graphs.used += kBytesPerGraph;
    memory.take(nodes.missing() + graphs.missing(), "an executable");
    nodes.mapped += nodes.missing();
    graphs.mapped += graphs.missing();
    nodes_ = nodes;
    graphs_ = graphs;
}

void ExecutableMemory::remove(std::int64_t kernels) noexcept {
    nodes_.used -= kernels * kBytesPerKernel;
    graphs_.used -= kBytesPerGraph;
}

}  // namespace graphplan::sim
