// Lets a thread that captures do what no capture depends on.
#pragma once

#include <cuda_runtime.h>

namespace graphplan::cuda {

/// Allocating, and waiting for another stream, is safe while this thread captures, since no captured work
/// depends on it, but CUDA refuses both unless the thread's capture mode is relaxed.
class RelaxedCapture {
  public:
    RelaxedCapture() noexcept { cudaThreadExchangeStreamCaptureMode(&mode_); }
    ~RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    RelaxedCapture(const RelaxedCapture&) = delete;
    RelaxedCapture& operator=(const RelaxedCapture&) = delete;

  private:
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace graphplan::cuda
