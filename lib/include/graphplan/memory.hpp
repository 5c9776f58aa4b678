// The caching allocator, after torch's rules, over any source of segments.
//
// One allocator has three uses: over a device it hands out real memory, over a simulated device
// pretended memory, and the planner replays recorded events through it to predict a pool to the byte.
// Single-threaded, one stream a pool. Nothing here touches the memory it hands out.
//
// Rules: sizes round up to 512 B (or by roundup_power2_divisions); up to 1 MiB they come from 2 MiB
// segments, under 10 MiB from 20 MiB segments, larger ones from segments rounded up to 2 MiB; best fit
// by (size, address), or by (size, arrival) where a capture must take the same in every process; what is
// left of a block is split off, freed neighbours merge.
// Source: PyTorch, c10/cuda/CUDACachingAllocator; confirmed on recordings of an NVIDIA H200.
#pragma once

#include <cstdint>
#include <memory>

#include "graphplan/base.hpp"

namespace graphplan {

/// Where an allocator gets its segments. Every size is a multiple of 2 MiB.
class SegmentSource {
  public:
    virtual ~SegmentSource() = default;

    /// A new segment. @throws Error out_of_memory
    virtual Address allocate(Bytes bytes) = 0;
    /// Gives a whole segment back. Quiet: failures cannot be acted upon.
    virtual void release(Address address, Bytes bytes) noexcept = 0;

    /// What a reserved range spans: more than any device has.
    static constexpr Bytes kReservedBytes = 1024 * kGiB;

    /// A range of kReservedBytes addresses with no memory behind it, for expandable segments. An
    /// allocator uses its ranges again, so none is ever given back.
    virtual Address reserve() = 0;
    /// Puts memory behind `bytes` of a reserved range from `address` on. @throws Error out_of_memory
    virtual void map(Address address, Bytes bytes) = 0;
    /// Takes the memory back; the range stays reserved.
    virtual void unmap(Address address, Bytes bytes) noexcept = 0;
};

/// Pretends: hands out addresses and counts nothing. Each new segment lies below (or above) the
/// ones before it, as drivers place them; the direction decides ties between free blocks of one size.
class PretendedSegments final : public SegmentSource {
  public:
    enum class Direction { descending, ascending };
    explicit PretendedSegments(Direction direction = Direction::descending) noexcept;

    Address allocate(Bytes bytes) override;
    void release(Address, Bytes) noexcept override {}
    Address reserve() override;
    void map(Address, Bytes) override {}
    void unmap(Address, Bytes) noexcept override {}

  private:
    Direction direction_;
    Address next_;
};

/// What decides between equal free blocks of different segments; within one the lowest address goes first.
enum class Ties {
    address,  ///< the lowest address, as torch has it: the driver, which places segments, decides
    arrival,  ///< the segment that came last, in every process. An Engine's captures take what is predicted
              ///< by this one only
};

/// A block that an allocator handed out.
struct Allocation {
    Address address = 0;
    Bytes bytes = 0;          ///< the block's size, at least what was asked for; 0 for a request of 0
    std::uint32_t block = 0;  ///< the allocator's own name for it
};

class CachingAllocator {
  public:
    /// A set of segments that its allocations alone share. Pools never share a block.
    using Pool = std::uint32_t;
    static constexpr Pool kDefaultPool = 0;

    /// `source` outlives the allocator.
    CachingAllocator(SegmentSource& source, const AllocatorOptions& options, Ties ties = Ties::address);
    ~CachingAllocator();  ///< gives every segment back, in use or not
    CachingAllocator(CachingAllocator&&) noexcept;
    CachingAllocator& operator=(CachingAllocator&&) noexcept;

    Pool create_pool();
    /// Gives a pool's segments back as its last block is freed, at once if it has none.
    void release_pool(Pool pool) noexcept;

    /// A block of at least `bytes`; 0 bytes take nothing. On failure unused cached segments of the
    /// default pool go back and it tries again. @throws Error out_of_memory, invalid_argument below 0
    Allocation allocate(Bytes bytes, Pool pool = kDefaultPool);
    void free(const Allocation& allocation) noexcept;

    /// Bytes of a pool's segments (mapped bytes where segments expand), in use or not.
    Bytes pool_bytes(Pool pool) const noexcept;
    /// The same over all pools.
    Bytes reserved_bytes() const noexcept;
    /// Bytes of the blocks in use, over all pools.
    Bytes allocated_bytes() const noexcept;

    /// What it was made with.
    const AllocatorOptions& options() const noexcept;

    /// Gives back the segments of the default pool that hold no block.
    void empty_cache() noexcept;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace graphplan
