// Runs operators on a GPU: library calls and our own kernels behind one class.
#pragma once

#include <cuda_runtime.h>

#include "cuda/operators/collectives.hpp"
#include "cuda/operators/convolutions.hpp"
#include "cuda/operators/linear.hpp"
#include "graphplan/operators.hpp"

namespace graphplan::cuda {

/// One a device, which must be the current one in every call, as in the constructor. Owns the libraries'
/// handles and what their searches found. Belongs to one thread at a time.
class Operators {
  public:
    Operators() = default;

    /// Enqueues an operator. Nothing waits while `capturing`; outside of captures the first call of a shape
    /// may search for the library's fastest algorithm, which waits, or try one after another. Memory comes
    /// from `scratch`, the same amounts in the same order at each call of a shape that has been searched.
    /// @throws Error invalid_argument for operands that don't fit, out_of_memory, device
    void run(const OperatorCall& call, Scratch& scratch, cudaStream_t stream, bool capturing);

    Collectives& collectives() noexcept { return collectives_; }

  private:
    Linear linear_;
    Convolutions convolutions_;
    Collectives collectives_;
};

}  // namespace graphplan::cuda
