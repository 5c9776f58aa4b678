// The memory of a simulated device: who holds how much, and where this process's segments lie.
#pragma once

#include <map>

#include "graphplan/base.hpp"
#include "sim/address_space.hpp"
#include "sim/extents.hpp"

namespace graphplan::sim {

class DeviceMemory {
  public:
    /// `context_bytes` are this process's from the start, `taken_bytes` other processes'.
    /// @throws Error invalid_argument if they don't fit
    DeviceMemory(Bytes total_bytes, Bytes context_bytes, Bytes taken_bytes);

    Bytes total_bytes() const noexcept { return total_; }
    Bytes free_bytes() const noexcept { return total_ - process_ - others_; }
    Bytes process_bytes() const noexcept { return process_; }
    Bytes other_bytes() const noexcept { return others_; }

    /// A segment of `bytes`, rounded up to 2 MiB. @throws Error out_of_memory, invalid_argument
    Address allocate(Bytes bytes);
    /// Gives a whole segment back; an address that is no segment's is ignored.
    void release(Address address) noexcept;

    /// Addresses for as much as the device holds and an eighth more, with no memory behind them.
    Address reserve();
    /// @throws Error out_of_memory; invalid_argument outside reserved ranges or over what is mapped
    void map(Address address, Bytes bytes);
    /// Unmaps what is mapped of the range.
    void unmap(Address address, Bytes bytes) noexcept;

    /// Takes memory that has no address here, such as the driver's own. It never comes back.
    /// @throws Error out_of_memory, naming what it was for
    void take(Bytes bytes, std::string_view purpose);

    /// Other processes take `bytes`, or give them if negative, as far as there is any.
    void move_others(Bytes bytes) noexcept;

    /// Whether this process has memory behind every byte of the range.
    bool holds(Address address, Bytes bytes) const { return backed_.contains(address, bytes); }

  private:
    Bytes total_;
    Bytes process_;
    Bytes others_;
    AddressSpace space_;
    std::map<Address, Bytes> segments_;
    Extents reserved_;
    Extents backed_;
};

}  // namespace graphplan::sim
