#include "cuda_module.hpp"

#include <string>

namespace {

// Thrown errors cross the module's border: both sides link the same static library of one build.
const std::string& revision() {
    static const std::string text(graphplan::git_revision());
    return text;
}

}  // namespace

extern "C" const graphplan::cli::CudaModule* graphplan_cuda_module() {
    static const graphplan::cli::CudaModule module{revision().c_str(), graphplan::list_cuda_devices,
                                                   graphplan::make_cuda_device};
    return &module;
}
