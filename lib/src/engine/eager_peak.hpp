// What a step that runs eagerly takes of a device.
#pragma once

#include "graphplan/costs.hpp"

namespace graphplan::engine {

/// Bytes of the segments that a pass takes at its peak in an allocator that has none cached. The pass's
/// libraries' workspaces are among them, also where earlier passes made them: a process that never ran it
/// pays for all.
Bytes eager_peak(const EventTrace& pass, const AllocatorOptions& options);

}  // namespace graphplan::engine
