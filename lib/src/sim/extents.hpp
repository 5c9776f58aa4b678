// A set of bytes of an address space, kept as the extents that it consists of.
#pragma once

#include <map>

#include "graphplan/base.hpp"

namespace graphplan::sim {

/// Neighbouring extents become one.
class Extents {
  public:
    void add(Address address, Bytes bytes);
    void remove(Address address, Bytes bytes);
    /// Whether every byte of the range is in the set.
    bool contains(Address address, Bytes bytes) const;
    /// Bytes of the range that are in the set.
    Bytes overlap(Address address, Bytes bytes) const;

    /// From each extent's first address to the address after its last.
    const std::map<Address, Address>& ends() const noexcept { return ends_; }

  private:
    std::map<Address, Address> ends_;
};

}  // namespace graphplan::sim
