#include "sim/device_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace graphplan::sim {

DeviceMemory::DeviceMemory(Bytes total_bytes, Bytes context_bytes, Bytes taken_bytes)
    : total_(total_bytes), process_(context_bytes), others_(taken_bytes) {
    if (total_bytes > 0 && context_bytes >= 0 && taken_bytes >= 0 && free_bytes() >= 0) return;
    throw Error(ErrorCode::invalid_argument,
                fmt::format("a simulated device of {} bytes cannot have {} bytes taken by a context and {} "
                            "by other processes",
                            total_bytes, context_bytes, taken_bytes));
}

void DeviceMemory::take(Bytes bytes, std::string_view purpose) {
    if (bytes > free_bytes()) {
        throw Error(
            ErrorCode::out_of_memory,
            fmt::format("out of device memory: {} wants {} ({} bytes), and {} ({} bytes) of {} are free",
                        purpose, format_bytes(bytes), bytes, format_bytes(free_bytes()), free_bytes(),
                        format_bytes(total_)));
    }
    process_ += bytes;
}

Address DeviceMemory::allocate(Bytes bytes) {
    if (bytes <= 0) {
        throw Error(ErrorCode::invalid_argument, fmt::format("a segment of {} bytes was asked for", bytes));
    }
    Bytes rounded = bytes > total_ ? bytes : round_up(bytes, kSegment);
    take(rounded, "a segment");
    Address address = space_.place(rounded);
    segments_.emplace(address, rounded);
    backed_.add(address, rounded);
    return address;
}

void DeviceMemory::release(Address address) noexcept {
    auto segment = segments_.find(address);
    if (segment == segments_.end()) return;
    process_ -= segment->second;
    space_.remove(address, segment->second);
    backed_.remove(address, segment->second);
    segments_.erase(segment);
}

Address DeviceMemory::reserve() {
    Bytes bytes = total_ + total_ / 8;
    Address address = space_.reserve(bytes);
    reserved_.add(address, bytes);
    return address;
}

void DeviceMemory::map(Address address, Bytes bytes) {
    bool aligned = bytes > 0 && bytes % kSegment == 0 && address % kSegment == 0;
    if (!aligned || !reserved_.contains(address, bytes) || backed_.overlap(address, bytes) != 0) {
        throw Error(ErrorCode::invalid_argument,
                    fmt::format("cannot map {} bytes at {:#x}: whole 2 MiB within a reserved range with "
                                "nothing mapped are expected",
                                bytes, address));
    }
    take(bytes, "mapping");
    backed_.add(address, bytes);
}

void DeviceMemory::unmap(Address address, Bytes bytes) noexcept {
    if (!reserved_.contains(address, bytes)) return;
    process_ -= backed_.overlap(address, bytes);
    backed_.remove(address, bytes);
}

void DeviceMemory::move_others(Bytes bytes) noexcept { others_ += std::clamp(bytes, -others_, free_bytes()); }

}  // namespace graphplan::sim
