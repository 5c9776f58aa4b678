// How large a buffer for shared outputs is.
#pragma once

#include <cstdint>
#include <optional>

#include "graphplan/costs.hpp"

namespace graphplan {

/// As many slots as the most that a graph has, each as large as the largest needs.
struct BufferSize {
    std::int64_t slots = 0;
    Bytes slot_bytes = 0;
    bool operator==(const BufferSize&) const = default;
};

/// The one that serves both.
BufferSize larger(BufferSize a, BufferSize b) noexcept;

/// What a trace's outputs need of a slot, each in whole 512 B; no more than 2^62, which no device has.
Bytes slot_bytes_of(const EventTrace& events);

/// What a buffer takes, in whole segments; nothing if that is more than 2^61.
std::optional<Bytes> checked_bytes(BufferSize size) noexcept;
/// Of a size that was checked.
Bytes bytes_of(BufferSize size) noexcept;

}  // namespace graphplan
