// Where a driver puts segments: in ranges of whole multiples of 32 MiB, each new one below the older
// ones, filled upwards, their rests used for later segments that fit.
#pragma once

#include <map>

#include "graphplan/base.hpp"
#include "sim/extents.hpp"

namespace graphplan::sim {

class AddressSpace {
  public:
    /// The place of a new segment: the lowest hole that it fits into, else a new range's begin.
    Address place(Bytes bytes);
    /// Makes a segment's place a hole. A range that holds nothing any more goes away.
    void remove(Address address, Bytes bytes) noexcept;

    /// A range of its own that no segment is placed in. Never given back.
    Address reserve(Bytes bytes);

  private:
    struct Range {
        Bytes bytes = 0;
        Extents holes;
    };

    Address open_range(Bytes bytes);

    std::map<Address, Range> ranges_;
    Address reserved_ = 0xff00'0000'0000'0000;  ///< the lowest so far: far above all segments
};

}  // namespace graphplan::sim
