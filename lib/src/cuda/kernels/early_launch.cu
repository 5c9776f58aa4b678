#include "cuda/kernels/launch.cuh"

namespace graphplan::cuda::kernels {
namespace {

__global__ void probe() {}

}  // namespace

// What counts is what the kernels were compiled for, not what the GPU is: code for an older one that the
// driver translates has no wait in it.
bool launches_early() {
    constexpr int hopper = 90;
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, probe), "cudaFuncGetAttributes");
    return attributes.ptxVersion >= hopper && attributes.binaryVersion >= hopper;
}

}  // namespace graphplan::cuda::kernels
