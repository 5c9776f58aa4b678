#include <fmt/format.h>

#include "graphplan/memory.hpp"

namespace graphplan {
namespace {

constexpr Address kTop = Address{1} << 62;
constexpr Address kBottom = Address{1} << 21;

[[noreturn]] void throw_exhausted() {
    throw Error(ErrorCode::out_of_memory,
                fmt::format("segments take more than {} in all: no device has as much",
                            format_bytes(static_cast<Bytes>(kTop))));
}

}  // namespace

PretendedSegments::PretendedSegments(Direction direction) noexcept
    : direction_(direction), next_(direction == Direction::descending ? kTop : kBottom) {}

Address PretendedSegments::allocate(Bytes bytes) {
    const auto size = static_cast<Address>(bytes);
    if (direction_ == Direction::descending) {
        if (next_ < kBottom + size) throw_exhausted();
        return next_ -= size;
    }
    if (size > kTop - next_) throw_exhausted();
    const Address address = next_;
    next_ += size;
    return address;
}

Address PretendedSegments::reserve() { return allocate(kReservedBytes); }

}  // namespace graphplan
