// Captures, graphs and executables of the CUDA device.
#include <vector>

#include <fmt/format.h>

#include "cuda/device/cuda_device.hpp"

namespace graphplan::cuda {
namespace {

cudaGraph_t graph_of(std::uint64_t number) noexcept { return reinterpret_cast<cudaGraph_t>(number); }

}  // namespace

void CudaDevice::begin_capture(std::uint64_t stream) {
    enter();
    const cudaStream_t handle = stream_of(stream);
    if (ranges_.any_mapped()) finish(stream);  // unmap can't wait for it while it records
    // Thread-local: other threads' work neither joins this capture nor breaks it.
    must(cudaStreamBeginCapture(handle, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    captures_.begin(stream);
}

std::uint64_t CudaDevice::end_capture(std::uint64_t stream) {
    enter();
    const std::optional<Error> first = captures_.first_failure(stream);
    captures_.end(stream);
    cudaGraph_t graph = nullptr;
    const cudaError_t status = cudaStreamEndCapture(stream_of(stream), &graph);
    if (first) {
        if (status != cudaSuccess) cudaGetLastError();
        if (graph != nullptr) cudaGraphDestroy(graph);
        throw Error(ErrorCode::device, fmt::format("the capture failed: {}", first->what()),
                    first->device_code());
    }
    must(status, "cudaStreamEndCapture");
    return graphs_.add(reinterpret_cast<std::uint64_t>(graph));
}

void CudaDevice::abandon_capture(std::uint64_t stream) noexcept {
    if (!captures_.capturing(stream)) return;
    captures_.end(stream);
    if (!enter_quietly()) return;
    cudaGraph_t graph = nullptr;
    if (cudaStreamEndCapture(reinterpret_cast<cudaStream_t>(stream), &graph) != cudaSuccess)
        cudaGetLastError();
    if (graph != nullptr) cudaGraphDestroy(graph);
}

NodeCounts CudaDevice::count_nodes(std::uint64_t graph) {
    enter();
    graphs_.require(graph);
    std::size_t count = 0;
    must(cudaGraphGetNodes(graph_of(graph), nullptr, &count), "cudaGraphGetNodes");
    std::vector<cudaGraphNode_t> nodes(count);
    must(cudaGraphGetNodes(graph_of(graph), nodes.data(), &count), "cudaGraphGetNodes");
    NodeCounts counts;
    for (const cudaGraphNode_t node : nodes) {
        cudaGraphNodeType type{};
        must(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType");
        switch (type) {
            case cudaGraphNodeTypeKernel: ++counts.kernels; break;
            case cudaGraphNodeTypeMemcpy: ++counts.copies; break;
            case cudaGraphNodeTypeMemset: ++counts.fills; break;
            default: ++counts.other; break;
        }
    }
    return counts;
}

std::uint64_t CudaDevice::instantiate(std::uint64_t graph) {
    enter();
    graphs_.require(graph);
    cudaGraphExec_t executable = nullptr;
    must(cudaGraphInstantiate(&executable, graph_of(graph), 0), "cudaGraphInstantiate");
    return executables_.add(reinterpret_cast<std::uint64_t>(executable));
}

void CudaDevice::launch(std::uint64_t executable, std::uint64_t stream) {
    enter();
    executables_.require(executable);
    must(cudaGraphLaunch(reinterpret_cast<cudaGraphExec_t>(executable), stream_of(stream)), "cudaGraphLaunch",
         stream);
}

}  // namespace graphplan::cuda
