// Mixtures of experts with shapes that don't depend on data, so that they capture.
#pragma once

#include <cuda_runtime.h>

#include "cuda/operators/linear.hpp"
#include "graphplan/operators.hpp"

namespace graphplan::cuda {

void moe_router(const OperatorCall& call, Linear& linear, Scratch& scratch, cudaStream_t stream,
                bool capturing);
void moe_experts(const OperatorCall& call, Scratch& scratch, cudaStream_t stream);

}  // namespace graphplan::cuda
