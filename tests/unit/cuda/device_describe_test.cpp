#include "cuda/device/describe.hpp"

#include <algorithm>
#include <optional>

#include "cuda/operators/collectives.hpp"
#include "cuda/operators/convolutions.hpp"
#include "operators_harness.hpp"

namespace graphplan::cuda_test {
namespace {

bool is_number(const std::string& text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

TEST_CASE("a library's version is one number, where the build has the library") {
    CHECK(is_number(cuda::cudnn_version().value_or("0")));
    CHECK(is_number(cuda::nccl_version().value_or("0")));
}

TEST_CASE("a GPU's description names the libraries that compute") {
    if (!has_gpu()) return;
    const cuda::Nvml nvml(cuda::pci_bus_id(0));
    const Capabilities capabilities = cuda::describe(0, nvml, true);
    const auto version_of = [&](const std::string& name) {
        const auto found = capabilities.libraries.find(name);
        return found == capabilities.libraries.end() ? std::nullopt : std::optional(found->second);
    };
    for (const char* name : {"cuda_driver", "cuda_runtime", "cublaslt"}) CHECK(version_of(name));
    CHECK(version_of("cudnn") == cuda::cudnn_version());
    CHECK(version_of("nccl") == cuda::nccl_version());
}

}  // namespace graphplan::cuda_test
