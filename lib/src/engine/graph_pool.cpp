#include "engine/graph_pool.hpp"

namespace graphplan::engine {

GraphPool::GraphPool(CachingAllocator& allocator) : allocator_(&allocator), id_(allocator.create_pool()) {}

GraphPool::GraphPool(GraphPool&& other) noexcept
    : allocator_(std::exchange(other.allocator_, nullptr)), id_(other.id_) {}

GraphPool& GraphPool::operator=(GraphPool&& other) noexcept {
    std::swap(allocator_, other.allocator_);
    std::swap(id_, other.id_);
    return *this;
}

GraphPool::~GraphPool() {
    if (allocator_ != nullptr) allocator_->release_pool(id_);
}

}  // namespace graphplan::engine
