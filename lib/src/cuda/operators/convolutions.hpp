// Convolutions: through cuDNN in a build that has it, else through a kernel of our own.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <optional>
#include <string>

#include "graphplan/operators.hpp"

namespace graphplan::cuda {

/// cuDNN's version as one number, absent in a build without it.
std::optional<std::string> cudnn_version();

/// One a device. Outside of captures the first call of each shape keeps the first of the library's choices
/// that works; a captured call takes what is kept, else the library's first choice.
class Convolutions {
  public:
    Convolutions();
    ~Convolutions();

    void run(const OperatorCall& call, Scratch& scratch, cudaStream_t stream, bool capturing);

  private:
    struct Library;
    std::unique_ptr<Library> library_;
};

/// @throws Error invalid_argument unless operands, parameters and the result's length fit together
void check_convolution(const OperatorCall& call);

}  // namespace graphplan::cuda
