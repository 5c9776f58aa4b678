#include <dlfcn.h>

#include <fmt/format.h>

#include "cuda_module.hpp"

namespace graphplan::cli {
namespace {

#ifdef GRAPHPLAN_HAS_CUDA
[[noreturn]] void refuse(const std::string& why, const char* remedy) {
    throw Error(ErrorCode::device_unavailable,
                fmt::format("the CUDA backend cannot be loaded: {}. {}", why, remedy));
}

const CudaModule& load() {
    void* const library = dlopen(kCudaModuleFile, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        refuse(dlerror(), "Install the library it names, or add its folder to LD_LIBRARY_PATH");
    }
    void* const entry = dlsym(library, kCudaModuleEntry);
    if (entry == nullptr) refuse(dlerror(), "Install graphplan again");
    const CudaModule& module = *reinterpret_cast<const CudaModule* (*)()>(entry)();
    if (module.revision != git_revision()) {
        refuse(fmt::format("{} is of revision {}, this program of {}", kCudaModuleFile, module.revision,
                           git_revision()),
               "Install graphplan again");
    }
    return module;
}
#else
const CudaModule& load() { throw Error(ErrorCode::device_unavailable, "this build has no CUDA backend"); }
#endif

}  // namespace

const CudaModule& load_cuda_module() {
    static const CudaModule& module = load();
    return module;
}

}  // namespace graphplan::cli
