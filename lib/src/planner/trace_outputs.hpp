// The allocations of a trace that hold a graph's outputs.
#pragma once

#include <vector>

#include "graphplan/costs.hpp"

namespace graphplan {

/// A flag for each event: what is tagged so or, in a trace without such tags, what is neither freed nor a
/// library's workspace.
std::vector<bool> outputs_in(const EventTrace& events);

/// What they take of a buffer, each in whole 512 B; no more than 2^62, which no device has.
Bytes buffer_bytes(const EventTrace& events);

}  // namespace graphplan
