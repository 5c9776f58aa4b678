#include "reference_allocator.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace graphplan::testing {
namespace {

constexpr Bytes kLargeBuffer = 20 * kMiB;

Bytes unit_of(bool small) { return small ? 2 * kMiB : kLargeBuffer; }

}  // namespace

Bytes ReferenceAllocator::rounded(Bytes bytes) const {
    const Bytes divisions = options_.roundup_power2_divisions;
    if (divisions > 1 && bytes > 512 * divisions) {
        Bytes power = 1;
        while (power * 2 <= bytes) power *= 2;
        for (Bytes step = 0; step <= divisions; ++step) {
            const Bytes candidate = power + step * (power / divisions);
            if (candidate >= bytes) return candidate;
        }
    }
    return (bytes + 511) / 512 * 512;
}

Bytes ReferenceAllocator::max_split() const {
    return options_.max_split_size_mb ? *options_.max_split_size_mb * kMiB
                                      : std::numeric_limits<Bytes>::max();
}

Bytes ReferenceAllocator::reach(const Found& found) const {
    const auto& pieces = segments_[found.segment].pieces;
    const bool grows = found.piece + 1 < pieces.size() && pieces[found.piece + 1].state == State::unmapped;
    return pieces[found.piece].size + (grows ? pieces[found.piece + 1].size : 0);
}

std::optional<ReferenceAllocator::Found> ReferenceAllocator::best_fit(int pool, bool small,
                                                                      Bytes size) const {
    std::optional<Found> best;
    for (std::size_t s = 0; s < segments_.size(); ++s) {
        if (!matches(segments_[s], pool, small)) continue;
        for (std::size_t p = 0; p < segments_[s].pieces.size(); ++p) {
            const Piece& piece = segments_[s].pieces[p];
            if (piece.state != State::free || piece.size < size) continue;
            if (!best ||
                std::tuple(piece.size, piece.address) < std::tuple(at(*best).size, at(*best).address)) {
                best = Found{s, p};
            }
        }
    }
    return best;
}

std::optional<ReferenceAllocator::Found> ReferenceAllocator::next_larger(int pool, bool small,
                                                                         const Found& than) const {
    const auto order = [&](const Found& found) { return std::tuple(at(found).size, at(found).address); };
    std::optional<Found> next;
    for (std::size_t s = 0; s < segments_.size(); ++s) {
        if (!matches(segments_[s], pool, small)) continue;
        for (std::size_t p = 0; p < segments_[s].pieces.size(); ++p) {
            const Found found{s, p};
            if (at(found).state != State::free || order(found) <= order(than)) continue;
            if (!next || order(found) < order(*next)) next = found;
        }
    }
    return next;
}

ReferenceAllocator::Found ReferenceAllocator::add_segment(int pool, bool small, Bytes size) {
    const Bytes bytes = size <= kMiB ? 2 * kMiB : size < 10 * kMiB ? kLargeBuffer : round_up(size, 2 * kMiB);
    segments_.push_back({pool, small, {{source_.allocate(bytes), bytes, State::free}}});
    return {segments_.size() - 1, 0};
}

/// In the order of addresses, the first unmapped piece that has room for `size` together with the free piece
/// before it and all that is not in use behind it.
std::optional<ReferenceAllocator::Found> ReferenceAllocator::first_with_room(int pool, bool small,
                                                                             Bytes size) const {
    std::optional<Found> lowest;
    Address lowest_unmapped = 0;
    for (std::size_t s = 0; s < segments_.size(); ++s) {
        if (!matches(segments_[s], pool, small)) continue;
        const auto& pieces = segments_[s].pieces;
        for (std::size_t p = 0; p < pieces.size(); ++p) {
            if (pieces[p].state != State::unmapped) continue;
            const std::size_t first = p > 0 && pieces[p - 1].state == State::free ? p - 1 : p;
            Bytes room = 0;
            for (std::size_t i = first; i < pieces.size() && pieces[i].state != State::used; ++i)
                room += pieces[i].size;
            if (room < size || (lowest && lowest_unmapped < pieces[p].address)) continue;
            lowest = Found{s, first};
            lowest_unmapped = pieces[p].address;
        }
    }
    return lowest;
}

std::size_t ReferenceAllocator::map(Segment& segment, std::size_t piece, Bytes size) {
    Piece& unmapped = segment.pieces[piece];
    const Bytes mapped = round_up(size, unit_of(segment.small));
    source_.map(unmapped.address, mapped);
    const Piece rest{unmapped.address + static_cast<Address>(mapped), unmapped.size - mapped,
                     State::unmapped};
    unmapped.size = mapped;
    unmapped.state = State::free;
    const Address address = unmapped.address;
    if (rest.size > 0)
        segment.pieces.insert(segment.pieces.begin() + static_cast<std::ptrdiff_t>(piece) + 1, rest);
    tidy(segment);
    std::size_t found = 0;
    while (segment.pieces[found].address + static_cast<Address>(segment.pieces[found].size) <= address)
        ++found;
    return found;
}

ReferenceAllocator::Found ReferenceAllocator::grow(int pool, bool small, Bytes size) {
    auto found = first_with_room(pool, small, size);
    if (!found) {
        const Bytes range = SegmentSource::kReservedBytes / unit_of(small) * unit_of(small);
        segments_.push_back({pool, small, {{source_.reserve(), range, State::unmapped}}});
        found = Found{segments_.size() - 1, 0};
    }
    Segment& segment = segments_[found->segment];
    std::size_t piece = found->piece;
    if (segment.pieces[piece].state == State::unmapped) piece = map(segment, piece, size);
    while (segment.pieces[piece].size < size)
        piece = map(segment, piece + 1, size - segment.pieces[piece].size);
    return {found->segment, piece};
}

void ReferenceAllocator::tidy(Segment& segment) {
    std::vector<Piece> joined;
    for (const Piece& piece : segment.pieces) {
        if (!joined.empty() && joined.back().state == piece.state && piece.state != State::used) {
            joined.back().size += piece.size;
        } else {
            joined.push_back(piece);
        }
    }
    segment.pieces = joined;
}

Allocation ReferenceAllocator::allocate(Bytes bytes, int pool) {
    if (bytes == 0) return {};
    const Bytes size = rounded(bytes);
    const bool small = size <= kMiB;
    const bool expandable = options_.expandable_segments;
    std::optional<Found> found = best_fit(pool, small, size);
    while (found && expandable) {
        const auto next = next_larger(pool, small, *found);
        if (!next || reach(*next) >= reach(*found)) break;
        found = next;
    }
    if (found) {
        const Bytes free = at(*found).size;
        const bool refused = size < max_split() ? free >= max_split() : free >= size + kLargeBuffer;
        if (refused) found.reset();
    }
    if (!found) found = expandable ? grow(pool, small, size) : add_segment(pool, small, size);
    auto& pieces = segments_[found->segment].pieces;
    const Bytes left = pieces[found->piece].size - size;
    const bool split = small || expandable ? left >= 512 : size < max_split() && left > kMiB;
    if (split) {
        const Piece rest{pieces[found->piece].address + static_cast<Address>(size), left, State::free};
        pieces[found->piece].size = size;
        pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(found->piece) + 1, rest);
    }
    pieces[found->piece].state = State::used;
    return {pieces[found->piece].address, pieces[found->piece].size, 0};
}

void ReferenceAllocator::free(const Allocation& allocation) {
    if (allocation.bytes == 0) return;
    for (Segment& segment : segments_) {
        for (Piece& piece : segment.pieces) {
            if (piece.state != State::used || piece.address != allocation.address) continue;
            piece.state = State::free;
            tidy(segment);
            return;
        }
    }
}

Bytes ReferenceAllocator::pool_bytes(int pool) const {
    Bytes bytes = 0;
    for (const Segment& segment : segments_) {
        if (segment.pool != pool) continue;
        for (const Piece& piece : segment.pieces) bytes += piece.state == State::unmapped ? 0 : piece.size;
    }
    return bytes;
}

}  // namespace graphplan::testing
