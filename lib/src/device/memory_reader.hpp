// Reads how much of a device's memory is taken, so that two readings give what something took.
#pragma once

#include "graphplan/device.hpp"

namespace graphplan {

/// Differences of `taken` are this process's own where the device measures that; otherwise they are the
/// device's, which other processes move up and down.
class MemoryReader {
  public:
    explicit MemoryReader(Device& device);

    /// Whether readings are this process's own, which no other process moves.
    bool own() const noexcept { return own_; }

    /// Bytes taken now. Only differences mean something. @throws Error device
    Bytes taken();

    /// Free bytes of the device. @throws Error device
    Bytes free_bytes();

  private:
    Device* device_;
    bool own_;
};

}  // namespace graphplan
