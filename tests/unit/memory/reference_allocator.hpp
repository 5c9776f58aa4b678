// The allocator's rules written down once more, as plainly as they can be: lists and linear searches. It
// shares no code with the library's.
#pragma once

#include <optional>
#include <vector>

#include "graphplan/memory.hpp"

namespace graphplan::testing {

class ReferenceAllocator {
  public:
    ReferenceAllocator(SegmentSource& source, const AllocatorOptions& options)
        : source_(source), options_(options) {}

    Allocation allocate(Bytes bytes, int pool);
    void free(const Allocation& allocation);
    Bytes pool_bytes(int pool) const;

  private:
    enum class State { free, used, unmapped };
    struct Piece {
        Address address;
        Bytes size;
        State state;
    };
    struct Segment {
        int pool;
        bool small;
        std::vector<Piece> pieces;
    };
    struct Found {
        std::size_t segment;
        std::size_t piece;
    };

    Bytes rounded(Bytes bytes) const;
    Bytes max_split() const;
    bool matches(const Segment& segment, int pool, bool small) const {
        return segment.pool == pool && segment.small == small;
    }
    std::optional<Found> best_fit(int pool, bool small, Bytes size) const;
    std::optional<Found> next_larger(int pool, bool small, const Found& than) const;
    Bytes reach(const Found& found) const;
    Found add_segment(int pool, bool small, Bytes size);
    Found grow(int pool, bool small, Bytes size);
    std::optional<Found> first_with_room(int pool, bool small, Bytes size) const;
    std::size_t map(Segment& segment, std::size_t piece, Bytes size);
    void tidy(Segment& segment);
    const Piece& at(const Found& found) const { return segments_[found.segment].pieces[found.piece]; }

    SegmentSource& source_;
    AllocatorOptions options_;
    std::vector<Segment> segments_;
};

}  // namespace graphplan::testing
