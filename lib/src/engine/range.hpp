// Names what a device does for as long as it lives.
#pragma once

#include <string_view>

#include "graphplan/device.hpp"

namespace graphplan::engine {

class Range {
  public:
    Range(Device& device, std::string_view label) : device_(device) { device.begin_range(label); }
    ~Range() { device_.end_range(); }
    Range(const Range&) = delete;
    Range& operator=(const Range&) = delete;

  private:
    Device& device_;
};

}  // namespace graphplan::engine
