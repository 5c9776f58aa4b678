// Segments at the addresses that a recording saw, below everything else where it saw none.
#pragma once

#include <vector>

#include "graphplan/costs.hpp"
#include "graphplan/memory.hpp"

namespace graphplan {

class PlacedSegments final : public SegmentSource {
  public:
    /// The next segments lie at these addresses, in this order, until the next call.
    void expect(std::vector<SegmentRecord> segments) noexcept;
    /// How many segments had another size than the recording's; they lie below everything.
    std::size_t mismatches() const noexcept { return mismatches_; }

    Address allocate(Bytes bytes) override;
    void release(Address, Bytes) noexcept override {}
    Address reserve() override { return below(kReservedBytes); }
    void map(Address, Bytes) override {}
    void unmap(Address, Bytes) noexcept override {}

  private:
    /// Recorded addresses move up by this, so that there is always room below them.
    static constexpr Address kOffset = Address{1} << 62;

    Address below(Bytes bytes);

    std::vector<SegmentRecord> expected_;
    std::size_t next_ = 0;
    std::size_t mismatches_ = 0;
    Address lowest_ = kOffset;
};

}  // namespace graphplan
