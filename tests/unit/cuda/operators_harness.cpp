#include "operators_harness.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "cuda/operators/status.hpp"

namespace graphplan::cuda_test {
namespace {

constexpr Bytes kGuard = 512;
constexpr int kGuardByte = 0xA5;
constexpr int kPoison = 0xFF;
constexpr int kWarmUps = 2;

void check(cudaError_t status, const char* what) { cuda::check(status, what); }

// Waits: streams that don't block for the default one would overtake it.
void fill(Address to, Bytes bytes) {
    check(cudaMemset(reinterpret_cast<void*>(to), kPoison, static_cast<std::size_t>(bytes)), "cudaMemset");
    check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
}

}  // namespace

bool has_gpu() {
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0) return true;
    const char* required = std::getenv("GRAPHPLAN_REQUIRE_GPU");
    if (required != nullptr && std::string(required) == "1") {
        FAIL("there is no GPU, and GRAPHPLAN_REQUIRE_GPU=1 asks for one");
    }
    WARN("SKIPPED: there is no GPU");
    return false;
}

Memory::Memory(Bytes bytes, Bytes shift) : bytes_(bytes), shift_(shift) {
    const auto all = static_cast<std::size_t>(bytes + 2 * kGuard + shift);
    check(cudaMalloc(&start_, all), "cudaMalloc");
    check(cudaMemset(start_, kGuardByte, all), "cudaMemset");
    fill(address(), bytes);
}

Memory::~Memory() { cudaFree(start_); }

Memory::Memory(Memory&& other) noexcept
    : start_(std::exchange(other.start_, nullptr)), bytes_(other.bytes_), shift_(other.shift_) {}

Address Memory::address() const {
    return reinterpret_cast<Address>(start_) + static_cast<Address>(kGuard + shift_);
}

void Memory::upload(const std::vector<std::byte>& bytes) {
    check(cudaMemcpy(reinterpret_cast<void*>(address()), bytes.data(), bytes.size(), cudaMemcpyHostToDevice),
          "cudaMemcpy");
}

std::vector<std::byte> Memory::download() const {
    std::vector<std::byte> bytes(static_cast<std::size_t>(bytes_));
    check(cudaMemcpy(bytes.data(), reinterpret_cast<void*>(address()), bytes.size(), cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    return bytes;
}

void Memory::check_guards() const {
    std::vector<std::byte> around(static_cast<std::size_t>(kGuard + shift_));
    const auto whole = [&](const void* from, std::size_t size) {
        check(cudaMemcpy(around.data(), from, size, cudaMemcpyDeviceToHost), "cudaMemcpy");
        return std::all_of(around.begin(), around.begin() + static_cast<std::ptrdiff_t>(size),
                           [](std::byte byte) { return byte == std::byte{kGuardByte}; });
    };
    CHECK(whole(start_, static_cast<std::size_t>(kGuard + shift_)));
    CHECK(whole(reinterpret_cast<const void*>(address() + static_cast<Address>(bytes_)), kGuard));
}

Address PlainScratch::temporary(Bytes bytes) {
    sizes_.push_back(bytes);
    temporaries_.emplace_back(bytes);
    return temporaries_.back().address();
}

Address PlainScratch::workspace(std::string_view library, Bytes bytes) {
    sizes_.push_back(bytes);
    return workspaces_.try_emplace(std::string(library), bytes).first->second.address();
}

void PlainScratch::finish_call() {
    for (const Memory& memory : temporaries_) memory.check_guards();
    temporaries_.clear();
    sizes_.clear();
}

Call::Call(OperatorKind kind, const std::vector<Tensor>& inputs, const std::vector<Tensor>& weights,
           const std::vector<Tensor>& outputs, const OperatorParameters& parameters, Bytes shift) {
    call_.kind = kind;
    call_.parameters = parameters;
    call_.inputs = place(inputs, shift);
    call_.weights = place(weights, shift);
    call_.outputs = place(outputs, shift);
}

std::vector<TensorView> Call::place(const std::vector<Tensor>& tensors, Bytes shift) {
    std::vector<TensorView> views;
    for (const Tensor& tensor : tensors) {
        TensorView view{0, tensor.dtype, tensor.shape};
        memory_.emplace_back(view.bytes(), shift * size_of(tensor.dtype));
        view.address = memory_.back().address();
        if (!tensor.values.empty()) memory_.back().upload(to_bytes(tensor));
        views.push_back(view);
    }
    return views;
}

Tensor Call::input(std::size_t i) const {
    return from_bytes(call_.inputs[i].dtype, call_.inputs[i].shape, memory_[i].download());
}

Tensor Call::output(std::size_t i) const {
    const Memory& memory = memory_[call_.inputs.size() + call_.weights.size() + i];
    return from_bytes(call_.outputs[i].dtype, call_.outputs[i].shape, memory.download());
}

void Call::poison_outputs() {
    for (const TensorView& out : call_.outputs) fill(out.address, out.bytes());
}

void Call::check_guards() const {
    for (const Memory& memory : memory_) memory.check_guards();
}

Harness::Harness() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate"); }

Harness::~Harness() { cudaStreamDestroy(stream_); }

void Harness::enqueue(const Call& call, bool capturing) {
    operators_.run(call.call(), scratch_, stream_, capturing);
}

void Harness::synchronize() { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

void Harness::run(Call& call) {
    call.poison_outputs();
    enqueue(call, false);
    synchronize();
    call.check_guards();
    scratch_.finish_call();
}

cudaGraph_t Harness::capture(const std::vector<const Call*>& calls, bool warm) {
    for (const Call* call : calls) {
        if (warm) enqueue(*call, false);
    }
    synchronize();
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
    for (const Call* call : calls) enqueue(*call, true);
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
    return graph;
}

std::size_t Harness::nodes(const std::vector<const Call*>& calls, bool warm) {
    cudaGraph_t graph = capture(calls, warm);
    std::size_t nodes = 0;
    check(cudaGraphGetNodes(graph, nullptr, &nodes), "cudaGraphGetNodes");
    cudaGraphDestroy(graph);
    scratch_.finish_call();
    return nodes;
}

// Temporaries stay until the graph has run for the last time.
cudaGraphExec_t Harness::record(const std::vector<const Call*>& calls, bool warm) {
    cudaGraph_t graph = capture(calls, warm);
    cudaGraphExec_t executable = nullptr;
    check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
    cudaGraphDestroy(graph);
    return executable;
}

void Harness::replay(const std::vector<const Call*>& calls, int times, bool warm) {
    cudaGraphExec_t executable = record(calls, warm);
    for (int i = 0; i < times; ++i) check(cudaGraphLaunch(executable, stream_), "cudaGraphLaunch");
    synchronize();
    cudaGraphExecDestroy(executable);
    scratch_.finish_call();
}

double Harness::time(const std::vector<const Call*>& calls, int times) {
    cudaGraphExec_t executable = record(calls, true);
    cudaEvent_t start = nullptr;
    cudaEvent_t end = nullptr;
    check(cudaEventCreate(&start), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    std::vector<float> milliseconds;
    for (int i = 0; i < times + kWarmUps; ++i) {
        check(cudaEventRecord(start, stream_), "cudaEventRecord");
        check(cudaGraphLaunch(executable, stream_), "cudaGraphLaunch");
        check(cudaEventRecord(end, stream_), "cudaEventRecord");
        synchronize();
        milliseconds.push_back(0);
        check(cudaEventElapsedTime(&milliseconds.back(), start, end), "cudaEventElapsedTime");
    }
    std::sort(milliseconds.begin() + kWarmUps, milliseconds.end());
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    cudaGraphExecDestroy(executable);
    scratch_.finish_call();
    return 1000.0 * milliseconds[static_cast<std::size_t>(kWarmUps + times / 2)];
}

}  // namespace graphplan::cuda_test
