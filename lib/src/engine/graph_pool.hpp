// A pool that graphs are captured into.
#pragma once

#include <utility>

#include "graphplan/memory.hpp"

namespace graphplan::engine {

/// Move-only. Its memory goes back with the last graph that holds some of it. The allocator outlives it.
class GraphPool {
  public:
    explicit GraphPool(CachingAllocator& allocator);
    GraphPool(GraphPool&& other) noexcept;
    GraphPool& operator=(GraphPool&& other) noexcept;
    ~GraphPool();

    CachingAllocator::Pool id() const noexcept { return id_; }
    Bytes bytes() const noexcept { return allocator_->pool_bytes(id_); }

  private:
    CachingAllocator* allocator_;
    CachingAllocator::Pool id_;
};

}  // namespace graphplan::engine
