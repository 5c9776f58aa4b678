#include "sim/extents.hpp"

#include <algorithm>
#include <iterator>

namespace graphplan::sim {

void Extents::add(Address address, Bytes bytes) {
    if (bytes <= 0) return;
    Address begin = address;
    Address end = address + static_cast<Address>(bytes);
    auto next = ends_.lower_bound(begin);
    if (next != ends_.begin() && std::prev(next)->second >= begin) --next;
    while (next != ends_.end() && next->first <= end) {
        begin = std::min(begin, next->first);
        end = std::max(end, next->second);
        next = ends_.erase(next);
    }
    ends_.emplace(begin, end);
}

void Extents::remove(Address address, Bytes bytes) {
    if (bytes <= 0) return;
    Address end = address + static_cast<Address>(bytes);
    auto next = ends_.lower_bound(address);
    if (next != ends_.begin() && std::prev(next)->second > address) --next;
    while (next != ends_.end() && next->first < end) {
        auto [first, last] = *next;
        next = ends_.erase(next);
        if (first < address) ends_.emplace(first, address);
        if (last > end) ends_.emplace(end, last);
    }
}

bool Extents::contains(Address address, Bytes bytes) const { return overlap(address, bytes) == bytes; }

Bytes Extents::overlap(Address address, Bytes bytes) const {
    Address end = address + static_cast<Address>(bytes);
    Bytes common = 0;
    auto next = ends_.upper_bound(address);
    if (next != ends_.begin()) --next;
    for (; next != ends_.end() && next->first < end; ++next) {
        Address first = std::max(address, next->first);
        Address last = std::min(end, next->second);
        if (last > first) common += static_cast<Bytes>(last - first);
    }
    return common;
}

}  // namespace graphplan::sim
