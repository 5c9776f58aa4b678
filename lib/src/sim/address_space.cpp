#include "sim/address_space.hpp"

namespace graphplan::sim {
namespace {

constexpr Bytes kRangeUnit = 32 * kMiB;
constexpr Address kTop = 0x7f00'0000'0000;  // segments lie below

}  // namespace

Address AddressSpace::place(Bytes bytes) {
    for (auto& [base, range] : ranges_) {
        for (auto [begin, end] : range.holes.ends()) {
            if (static_cast<Bytes>(end - begin) < bytes) continue;
            range.holes.remove(begin, bytes);
            return begin;
        }
    }
    Address base = open_range(bytes);
    ranges_[base].holes.remove(base, bytes);
    return base;
}

Address AddressSpace::open_range(Bytes bytes) {
    Bytes size = round_up(bytes, kRangeUnit);
    Address top = kTop;
    for (auto range = ranges_.rbegin(); range != ranges_.rend(); ++range) {
        auto [base, held] = *range;
        if (static_cast<Bytes>(top - base) - held.bytes >= size) break;
        top = base;
    }
    Address base = top - static_cast<Address>(size);
    Range& range = ranges_[base];
    range.bytes = size;
    range.holes.add(base, size);
    return base;
}

void AddressSpace::remove(Address address, Bytes bytes) noexcept {
    auto range = ranges_.upper_bound(address);
    if (range == ranges_.begin()) return;
    --range;
    range->second.holes.add(address, bytes);
    if (range->second.holes.contains(range->first, range->second.bytes)) ranges_.erase(range);
}

Address AddressSpace::reserve(Bytes bytes) {
    reserved_ -= static_cast<Address>(round_up(bytes, kRangeUnit));
    return reserved_;
}

}  // namespace graphplan::sim
