// Attention: which kernel takes a call, and in how many parts its contexts are read.
#pragma once

#include <cuda_runtime.h>

#include "graphplan/operators.hpp"

namespace graphplan::cuda {

/// The new keys and values go into the cache, then each token attends to its context there.
void paged_attention(const OperatorCall& call, Scratch& scratch, cudaStream_t stream);
/// Each token attends to those of its row up to itself; a cache, where given, gets keys and values.
void causal_attention(const OperatorCall& call, Scratch& scratch, cudaStream_t stream);

}  // namespace graphplan::cuda
