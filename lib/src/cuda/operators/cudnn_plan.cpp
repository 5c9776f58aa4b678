#include "cuda/operators/cudnn_plan.hpp"

#include <fmt/format.h>

#include "cuda/operators/status.hpp"

namespace graphplan::cuda {
namespace {

constexpr std::size_t kMostWorkspace = std::size_t{256} << 20;

cudnnDataType_t type_of(DType type) {
    if (type == DType::f16) return CUDNN_DATA_HALF;
    return type == DType::bf16 ? CUDNN_DATA_BFLOAT16 : CUDNN_DATA_FLOAT;
}

int size(std::int64_t value) { return static_cast<int>(value); }

bool is_out_of_memory(cudnnStatus_t status) {
#if CUDNN_MAJOR >= 9
    return status == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED ||
           status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED;
#else
    return status == CUDNN_STATUS_ALLOC_FAILED;
#endif
}

}  // namespace

void check(cudnnStatus_t status, std::string_view what) {
    if (status == CUDNN_STATUS_SUCCESS) return;
    throw Error(is_out_of_memory(status) ? ErrorCode::out_of_memory : ErrorCode::device,
                fmt::format("{} failed: {}", what, cudnnGetErrorString(status)));
}

CudnnPlan::CudnnPlan(cudnnHandle_t handle, const OperatorCall& call)
    : handle_(handle),
      transposed_(call.kind == OperatorKind::conv_transpose1d),
      x_(tensor(call.inputs[0])),
      out_(tensor(call.outputs[0])),
      weight_(filter(call.weights[0])),
      convolution_(convolution(call)) {
    find_algorithms(call.inputs[0].dtype == DType::f32);
}

CudnnPlan::Owned<cudnnTensorDescriptor_t> CudnnPlan::tensor(const TensorView& view) {
    cudnnTensorDescriptor_t created = nullptr;
    check(cudnnCreateTensorDescriptor(&created), "cudnnCreateTensorDescriptor");
    Owned<cudnnTensorDescriptor_t> owned(created);
    check(cudnnSetTensor4dDescriptor(created, CUDNN_TENSOR_NCHW, type_of(view.dtype), size(view.shape[0]),
                                     size(view.shape[1]), 1, size(view.shape[2])),
          "cudnnSetTensor4dDescriptor");
    return owned;
}

CudnnPlan::Owned<cudnnFilterDescriptor_t> CudnnPlan::filter(const TensorView& view) {
    cudnnFilterDescriptor_t created = nullptr;
    check(cudnnCreateFilterDescriptor(&created), "cudnnCreateFilterDescriptor");
    Owned<cudnnFilterDescriptor_t> owned(created);
    check(cudnnSetFilter4dDescriptor(created, type_of(view.dtype), CUDNN_TENSOR_NCHW, size(view.shape[0]),
                                     size(view.shape[1]), 1, size(view.shape[2])),
          "cudnnSetFilter4dDescriptor");
    return owned;
}

// FMA keeps fp32 products whole: the default would let cuDNN cut them to TF32.
CudnnPlan::Owned<cudnnConvolutionDescriptor_t> CudnnPlan::convolution(const OperatorCall& call) {
    const OperatorParameters& p = call.parameters;
    cudnnConvolutionDescriptor_t created = nullptr;
    check(cudnnCreateConvolutionDescriptor(&created), "cudnnCreateConvolutionDescriptor");
    Owned<cudnnConvolutionDescriptor_t> owned(created);
    check(cudnnSetConvolution2dDescriptor(created, 0, size(p.padding), 1, size(p.stride), 1, size(p.dilation),
                                          CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
          "cudnnSetConvolution2dDescriptor");
    check(cudnnSetConvolutionGroupCount(created, size(p.groups)), "cudnnSetConvolutionGroupCount");
    const bool whole = call.inputs[0].dtype == DType::f32;
    check(cudnnSetConvolutionMathType(created, whole ? CUDNN_FMA_MATH : CUDNN_TENSOR_OP_MATH),
          "cudnnSetConvolutionMathType");
    return owned;
}

// Sums in an order of their own each time are no use to anyone who compares runs.
template <typename Found>
void CudnnPlan::keep(const std::vector<Found>& found, bool whole) {
    for (const Found& one : found) {
        const bool serves = one.status == CUDNN_STATUS_SUCCESS && one.determinism == CUDNN_DETERMINISTIC &&
                            one.memory <= kMostWorkspace && (!whole || one.mathType == CUDNN_FMA_MATH);
        if (serves) algorithms_.push_back({static_cast<int>(one.algo), one.memory, one.mathType});
    }
}

void CudnnPlan::find_algorithms(bool whole) {
    constexpr int most = 16;
    int count = 0;
    if (transposed_) {
        std::vector<cudnnConvolutionBwdDataAlgoPerf_t> found(most);
        check(
            cudnnGetConvolutionBackwardDataAlgorithm_v7(handle_, weight_.get(), x_.get(), convolution_.get(),
                                                        out_.get(), most, &count, found.data()),
            "cudnnGetConvolutionBackwardDataAlgorithm_v7");
        found.resize(static_cast<std::size_t>(count));
        return keep(found, whole);
    }
    std::vector<cudnnConvolutionFwdAlgoPerf_t> found(most);
    check(cudnnGetConvolutionForwardAlgorithm_v7(handle_, x_.get(), weight_.get(), convolution_.get(),
                                                 out_.get(), most, &count, found.data()),
          "cudnnGetConvolutionForwardAlgorithm_v7");
    found.resize(static_cast<std::size_t>(count));
    keep(found, whole);
}

cudnnStatus_t CudnnPlan::launch(const OperatorCall& call, const Algorithm& algorithm,
                                Address workspace) const {
    const float one = 1;
    const float zero = 0;
    const auto pointer = [](Address address) { return reinterpret_cast<void*>(address); };
    check(cudnnSetConvolutionMathType(convolution_.get(), algorithm.math), "cudnnSetConvolutionMathType");
    if (transposed_) {
        return cudnnConvolutionBackwardData(handle_, &one, weight_.get(), pointer(call.weights[0].address),
                                            x_.get(), pointer(call.inputs[0].address), convolution_.get(),
                                            static_cast<cudnnConvolutionBwdDataAlgo_t>(algorithm.number),
                                            pointer(workspace), algorithm.bytes, &zero, out_.get(),
                                            pointer(call.outputs[0].address));
    }
    return cudnnConvolutionForward(handle_, &one, x_.get(), pointer(call.inputs[0].address), weight_.get(),
                                   pointer(call.weights[0].address), convolution_.get(),
                                   static_cast<cudnnConvolutionFwdAlgo_t>(algorithm.number),
                                   pointer(workspace), algorithm.bytes, &zero, out_.get(),
                                   pointer(call.outputs[0].address));
}

// The run is the trial: memory of a trial's own would not be counted by whoever gives the scratch, and is not
// to be had on a full GPU.
bool CudnnPlan::run(const OperatorCall& call, Scratch& scratch, bool capturing) {
    Address workspace = 0;
    Bytes held = 0;
    while (!algorithms_.empty()) {
        const Algorithm& first = algorithms_.front();
        const auto bytes = static_cast<Bytes>(first.bytes);
        // Scratch goes back after the call: what one that was turned down left serves the next one.
        if (bytes > held) workspace = scratch.temporary(held = bytes);
        const cudnnStatus_t status = launch(call, first, bytes == 0 ? 0 : workspace);
        const bool may_drop = !chosen_ && !capturing && !is_out_of_memory(status);
        if (status == CUDNN_STATUS_SUCCESS || !may_drop) {
            check(status, "a cuDNN convolution");
            chosen_ = chosen_ || !capturing;
            return true;
        }
        cudaGetLastError();  // or the next launch would report what this algorithm left
        algorithms_.erase(algorithms_.begin());
    }
    return false;
}

}  // namespace graphplan::cuda
