#include "engine/workspaces.hpp"

namespace graphplan::engine {

Address Workspaces::get(std::string_view library, Bytes bytes) {
    for (const Entry& entry : entries_) {
        if (entry.library == library && entry.bytes >= bytes) return entry.block.address();
    }
    entries_.push_back({std::string(library), bytes, Block(*allocator_, bytes, pool_)});
    return entries_.back().block.address();
}

}  // namespace graphplan::engine
