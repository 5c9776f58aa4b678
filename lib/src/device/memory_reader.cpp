#include "device/memory_reader.hpp"

namespace graphplan {

MemoryReader::MemoryReader(Device& device)
    : device_(&device),
      own_(device.capabilities().measures_process_memory && device.memory().used_by_process.has_value()) {}

Bytes MemoryReader::taken() {
    const MemoryInfo info = device_->memory();
    if (!own_) return info.total_bytes - info.free_bytes;
    if (info.used_by_process) return *info.used_by_process;
    throw Error(ErrorCode::device, device_->capabilities().name +
                                       ": the driver reported this process's memory before and does not "
                                       "any more; measure again");
}

Bytes MemoryReader::free_bytes() { return device_->memory().free_bytes; }

}  // namespace graphplan
