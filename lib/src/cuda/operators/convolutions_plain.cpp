#include "cuda/kernels/kernels.hpp"
#include "cuda/operators/convolutions.hpp"

namespace graphplan::cuda {

struct Convolutions::Library {};

std::optional<std::string> cudnn_version() { return std::nullopt; }

Convolutions::Convolutions() = default;
Convolutions::~Convolutions() = default;

void Convolutions::run(const OperatorCall& call, Scratch&, cudaStream_t stream, bool) {
    check_convolution(call);
    kernels::convolution(call, stream);
}

}  // namespace graphplan::cuda
