// The workspaces that libraries keep between calls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/block.hpp"

namespace graphplan::engine {

/// Those of one stream, in one pool. They live until cleared.
class Workspaces {
  public:
    Workspaces(CachingAllocator& allocator, CachingAllocator::Pool pool) noexcept
        : allocator_(&allocator), pool_(pool) {}

    /// One of the library's of at least `bytes`, made if there is none. @throws Error out_of_memory
    Address get(std::string_view library, Bytes bytes);
    void clear() noexcept { entries_.clear(); }

  private:
    struct Entry {
        std::string library;
        Bytes bytes = 0;
        Block block;
    };
    CachingAllocator* allocator_;
    CachingAllocator::Pool pool_;
    std::vector<Entry> entries_;
};

}  // namespace graphplan::engine
