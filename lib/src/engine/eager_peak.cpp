#include "engine/eager_peak.hpp"

#include <map>

#include "graphplan/memory.hpp"

namespace graphplan::engine {

Bytes eager_peak(const EventTrace& pass, const AllocatorOptions& options) {
    PretendedSegments segments;
    CachingAllocator allocator(segments, options);
    std::map<std::int64_t, Allocation> live;
    for (const TraceEvent& event : pass) {
        if (event.allocates) {
            live[event.id] = allocator.allocate(event.bytes);
        } else if (const auto freed = live.extract(event.id)) {
            allocator.free(freed.mapped());
        }
    }
    return allocator.reserved_bytes();  // segments stay until the cache is emptied: this is the peak
}

}  // namespace graphplan::engine
