// How large a buffer for shared outputs is.
#pragma once

#include <cstdint>
#include <optional>

#include "graphplan/base.hpp"

namespace graphplan {

/// As many slots as the most that a graph has, each as large as the largest needs.
struct BufferSize {
    std::int64_t slots = 0;
    Bytes slot_bytes = 0;
    bool operator==(const BufferSize&) const = default;
};

/// The one that serves both.
BufferSize larger(BufferSize a, BufferSize b) noexcept;

/// What it takes, in whole segments; nothing if that is more than 2^61.
std::optional<Bytes> checked_bytes(BufferSize size) noexcept;
/// Of a size that was checked.
Bytes bytes_of(BufferSize size) noexcept;

}  // namespace graphplan
