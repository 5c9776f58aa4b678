#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphplan/memory.hpp"
#include "memory/block_list.hpp"

namespace graphplan {

class CachingAllocator::Impl {
  public:
    Impl(SegmentSource& source, const AllocatorOptions& options, Ties ties)
        : options_(options), state_(source, options, ties) {
        create_pool();
    }
    ~Impl() {
        for (PoolLists& pool : pools_) pool.release_all(state_);
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    Pool create_pool() {
        pools_.emplace_back(static_cast<Pool>(pools_.size()));
        return static_cast<Pool>(pools_.size() - 1);
    }

    void release_pool(Pool pool) noexcept {
        pools_[pool].released = true;
        release_if_unused(pools_[pool]);
    }

    Allocation allocate(Bytes bytes, Pool pool) {
        if (bytes < 0 || pool >= pools_.size()) {
            throw Error(ErrorCode::invalid_argument,
                        fmt::format("{} bytes of pool {} asked for, expected at least 0 of one of {} pools",
                                    bytes, pool, pools_.size()));
        }
        if (bytes == 0) return {};
        if (bytes > AllocatorRules::kLargest) {
            throw Error(ErrorCode::out_of_memory, fmt::format("no device has {}", format_bytes(bytes)));
        }
        const Bytes size = state_.rules.block_size(bytes);
        const BlockIndex block = take(pools_[pool], size);
        ++pools_[pool].used_blocks;
        const Block& taken = state_.blocks[block];
        allocated_ += taken.size;
        return {real_address(taken), taken.size, block};
    }

    void free(const Allocation& allocation) noexcept {
        if (allocation.bytes == 0) return;
        const Block& block = state_.blocks[allocation.block];
        allocated_ -= block.size;
        PoolLists& pool = pools_[block.list / 2];
        --pool.used_blocks;
        pool.lists[block.list % 2].give(state_, allocation.block);
        release_if_unused(pool);
    }

    const AllocatorOptions& options() const noexcept { return options_; }

    void empty_cache() noexcept { pools_[kDefaultPool].release_unused(state_); }

    Bytes pool_bytes(Pool pool) const noexcept {
        return pool < pools_.size() ? pools_[pool].lists[0].bytes() + pools_[pool].lists[1].bytes() : 0;
    }
    Bytes reserved() const noexcept {
        Bytes bytes = 0;
        for (Pool pool = 0; pool < pools_.size(); ++pool) bytes += pool_bytes(pool);
        return bytes;
    }
    Bytes allocated() const noexcept { return allocated_; }

  private:
    struct PoolLists {
        explicit PoolLists(Pool name) noexcept
            : lists{BlockList(2 * name, true), BlockList(2 * name + 1, false)} {}

        BlockList& list_for(Bytes size) noexcept {
            return lists[size <= AllocatorRules::kSmallLimit ? 0 : 1];
        }
        void release_unused(AllocatorState& state) noexcept {
            for (BlockList& list : lists) list.release_unused(state);
        }
        void release_all(AllocatorState& state) noexcept {
            for (BlockList& list : lists) list.release_all(state);
        }

        std::array<BlockList, 2> lists;
        std::size_t used_blocks = 0;
        bool released = false;
    };

    BlockIndex take(PoolLists& pool, Bytes size) {
        try {
            return pool.list_for(size).take(state_, size);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::out_of_memory) throw;
        }
        empty_cache();
        return pool.list_for(size).take(state_, size);
    }

    void release_if_unused(PoolLists& pool) noexcept {
        if (pool.released && pool.used_blocks == 0) pool.release_unused(state_);
    }

    AllocatorOptions options_;
    AllocatorState state_;
    std::vector<PoolLists> pools_;
    Bytes allocated_ = 0;
};

CachingAllocator::CachingAllocator(SegmentSource& source, const AllocatorOptions& options, Ties ties)
    : impl_(std::make_unique<Impl>(source, options, ties)) {}
CachingAllocator::~CachingAllocator() = default;
CachingAllocator::CachingAllocator(CachingAllocator&&) noexcept = default;
CachingAllocator& CachingAllocator::operator=(CachingAllocator&&) noexcept = default;

CachingAllocator::Pool CachingAllocator::create_pool() { return impl_->create_pool(); }
void CachingAllocator::release_pool(Pool pool) noexcept { impl_->release_pool(pool); }
Allocation CachingAllocator::allocate(Bytes bytes, Pool pool) { return impl_->allocate(bytes, pool); }
void CachingAllocator::free(const Allocation& allocation) noexcept { impl_->free(allocation); }
Bytes CachingAllocator::pool_bytes(Pool pool) const noexcept { return impl_->pool_bytes(pool); }
Bytes CachingAllocator::reserved_bytes() const noexcept { return impl_->reserved(); }
Bytes CachingAllocator::allocated_bytes() const noexcept { return impl_->allocated(); }
const AllocatorOptions& CachingAllocator::options() const noexcept { return impl_->options(); }
void CachingAllocator::empty_cache() noexcept { impl_->empty_cache(); }

}  // namespace graphplan
