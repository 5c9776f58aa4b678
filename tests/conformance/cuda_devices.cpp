// The GPUs that the conformance cases run over.
#include <cstdlib>
#include <iostream>

#include "bench.hpp"
#include "graphplan/cuda.hpp"

namespace graphplan::conformance {
namespace {

// Catch2 2.13 cannot skip a case: without a GPU the process says so and ends before any check runs.
void end_without_gpu() {
    const std::string unavailable = list_cuda_devices().unavailable;
    if (unavailable.empty()) return;
    const char* required = std::getenv("GRAPHPLAN_REQUIRE_GPU");
    const bool fails = required != nullptr && std::string(required) == "1";
    std::cout << (fails ? "FAILED" : "SKIPPED") << ": there is no GPU: " << unavailable << std::endl;
    std::_Exit(fails ? EXIT_FAILURE : EXIT_SUCCESS);
}

std::unique_ptr<Device> without_process_memory() {
    CudaOptions blind;
    blind.process_memory = false;
    return make_cuda_device(blind);
}

}  // namespace

std::vector<DeviceFactory> device_factories() {
    end_without_gpu();
    return {{"cuda", [] { return make_cuda_device({}); }},
            {"cuda without process memory", without_process_memory}};
}

}  // namespace graphplan::conformance
