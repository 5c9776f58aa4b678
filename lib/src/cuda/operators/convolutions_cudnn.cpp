#include <cudnn.h>

#include <map>
#include <vector>

#include "cuda/kernels/kernels.hpp"
#include "cuda/operators/convolutions.hpp"
#include "cuda/operators/cudnn_plan.hpp"
#include "cuda/operators/status.hpp"

namespace graphplan::cuda {
namespace {

// Everything that decides on an algorithm.
using Key = std::vector<std::int64_t>;

Key key_of(const OperatorCall& call) {
    const OperatorParameters& p = call.parameters;
    Key key{static_cast<std::int64_t>(call.kind),
            static_cast<std::int64_t>(call.inputs[0].dtype),
            p.stride,
            p.padding,
            p.dilation,
            p.groups};
    for (const TensorView* view : {&call.inputs[0], &call.weights[0]}) {
        key.insert(key.end(), view->shape.begin(), view->shape.end());
    }
    return key;
}

}  // namespace

struct Convolutions::Library {
    Library() { check(cudnnCreate(&handle), "cudnnCreate"); }
    ~Library() {
        plans.clear();
        cudnnDestroy(handle);
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    cudnnHandle_t handle = nullptr;
    std::map<Key, CudnnPlan> plans;
};

std::optional<std::string> cudnn_version() { return std::to_string(cudnnGetVersion()); }

Convolutions::Convolutions() = default;
Convolutions::~Convolutions() = default;

// The library is opened by the first convolution: it takes device memory that other models shouldn't pay.
void Convolutions::run(const OperatorCall& call, Scratch& scratch, cudaStream_t stream, bool capturing) {
    check_convolution(call);
    if (!library_) library_ = std::make_unique<Library>();
    check(cudnnSetStream(library_->handle, stream), "cudnnSetStream");
    CudnnPlan& plan = library_->plans.try_emplace(key_of(call), library_->handle, call).first->second;
    if (!plan.run(call, scratch, capturing)) return kernels::convolution(call, stream);
    if (call.weights.size() == 2) kernels::add_channel_bias(call.outputs[0], call.weights[1], stream);
}

}  // namespace graphplan::cuda
