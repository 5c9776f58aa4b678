// One shape of convolution: cuDNN's descriptors for it and the algorithm that it runs by.
#pragma once

#include <cuda_runtime.h>
#include <cudnn.h>

#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include "graphplan/operators.hpp"

namespace graphplan::cuda {

/// @throws Error device or out_of_memory with cuDNN's name for the status, unless it is a success
void check(cudnnStatus_t status, std::string_view what);

/// A convolution along one dimension is one over images of height 1; a transposed one is the gradient of
/// a convolution's input.
class CudnnPlan {
  public:
    /// Asks the library for algorithms, the one that it expects to be fastest first; it may have none.
    /// @throws Error
    CudnnPlan(cudnnHandle_t handle, const OperatorCall& call);

    /// Without the bias, on the handle's stream; false where the library has no algorithm that works. Until
    /// one has run, a call outside of captures drops those that the library turns down. Neither times nor a
    /// want of memory decide: they would choose another one in another process, and with it another workspace
    /// and other kernels, and no prediction would hold there. @throws Error out_of_memory, device
    bool run(const OperatorCall& call, Scratch& scratch, bool capturing);

  private:
    struct Algorithm {
        int number = 0;
        std::size_t bytes = 0;
        cudnnMathType_t math = CUDNN_DEFAULT_MATH;
    };
    struct Destroy {
        void operator()(cudnnTensorDescriptor_t d) const noexcept { cudnnDestroyTensorDescriptor(d); }
        void operator()(cudnnFilterDescriptor_t d) const noexcept { cudnnDestroyFilterDescriptor(d); }
        void operator()(cudnnConvolutionDescriptor_t d) const noexcept {
            cudnnDestroyConvolutionDescriptor(d);
        }
    };
    template <typename Handle>
    using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy>;

    static Owned<cudnnTensorDescriptor_t> tensor(const TensorView& view);
    static Owned<cudnnFilterDescriptor_t> filter(const TensorView& view);
    static Owned<cudnnConvolutionDescriptor_t> convolution(const OperatorCall& call);
    template <typename Found>
    void keep(const std::vector<Found>& found, bool whole);
    void find_algorithms(bool whole);
    cudnnStatus_t launch(const OperatorCall& call, const Algorithm& algorithm, Address workspace) const;

    cudnnHandle_t handle_;
    bool transposed_;
    Owned<cudnnTensorDescriptor_t> x_, out_;
    Owned<cudnnFilterDescriptor_t> weight_;
    Owned<cudnnConvolutionDescriptor_t> convolution_;
    std::vector<Algorithm> algorithms_;
    bool chosen_ = false;  ///< the first of them has run
};

}  // namespace graphplan::cuda
