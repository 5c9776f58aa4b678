// Another process on the GPU. It prints "ready" and goes on until it is killed.
//
// usage: gpu_neighbour fill LEAVE_MIB    takes all memory but that much, and holds it
//        gpu_neighbour churn MIB         takes and gives back that much, at random times
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

void must(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "gpu_neighbour: %s\n", cudaGetErrorString(status));
    std::exit(1);
}

[[noreturn]] void fill(std::size_t leave) {
    std::size_t free = 0, total = 0;
    must(cudaMemGetInfo(&free, &total));
    void* taken = nullptr;
    if (free > leave) must(cudaMalloc(&taken, free - leave));
    std::puts("ready");
    std::fflush(stdout);
    while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
}

[[noreturn]] void churn(std::size_t bytes) {
    std::mt19937 random(1);
    std::uniform_int_distribution<int> microseconds(50, 2000);
    std::puts("ready");
    std::fflush(stdout);
    while (true) {
        void* taken = nullptr;
        must(cudaMalloc(&taken, bytes));
        std::this_thread::sleep_for(std::chrono::microseconds(microseconds(random)));
        must(cudaFree(taken));
        std::this_thread::sleep_for(std::chrono::microseconds(microseconds(random)));
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        std::fputs("usage: gpu_neighbour fill LEAVE_MIB | churn MIB\n", stderr);
        return 2;
    }
    const std::size_t bytes = std::strtoull(arguments[2], nullptr, 10) * kMiB;
    must(cudaFree(nullptr));
    if (std::string(arguments[1]) == "fill") fill(bytes);
    churn(bytes);
}
