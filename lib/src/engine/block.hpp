// Owns one block of a caching allocator.
#pragma once

#include <utility>

#include "graphplan/memory.hpp"

namespace graphplan::engine {

/// Move-only. The allocator outlives it.
class Block {
  public:
    Block() = default;
    Block(CachingAllocator& allocator, Bytes bytes,
          CachingAllocator::Pool pool = CachingAllocator::kDefaultPool)
        : allocator_(&allocator), allocation_(allocator.allocate(bytes, pool)) {}
    Block(Block&& other) noexcept
        : allocator_(std::exchange(other.allocator_, nullptr)), allocation_(other.allocation_) {}
    Block& operator=(Block&& other) noexcept {
        std::swap(allocator_, other.allocator_);
        std::swap(allocation_, other.allocation_);
        return *this;
    }
    ~Block() {
        if (allocator_ != nullptr) allocator_->free(allocation_);
    }

    Address address() const noexcept { return allocation_.address; }
    explicit operator bool() const noexcept { return allocator_ != nullptr; }

  private:
    CachingAllocator* allocator_ = nullptr;
    Allocation allocation_;
};

}  // namespace graphplan::engine
