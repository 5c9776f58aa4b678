// Puts a step's content into the memory that its graph reads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphplan/replay.hpp"

namespace graphplan::replay {

/// Copies `content` along the dimension that varies; with `zero_tail` the rest is zeroed, else it keeps what
/// it held. @throws Error invalid_argument for more than the input holds, device
void stage_input(Device& device, const NamedTensor& input, const StagedInput& content, bool zero_tail,
                 std::uint64_t stream);

/// The row offsets of `rows` rows that share `tokens`: as `lengths` says, evenly with the remainder on the
/// first where it is empty. Rows past them have no tokens.
void write_offsets(std::vector<std::int32_t>& offsets, std::int64_t rows, std::int64_t tokens,
                   std::span<const std::int64_t> lengths) noexcept;

/// What is real of an output or a page table, along its first dimension.
std::int64_t real_rows(const NamedTensor& tensor, const Lease& lease) noexcept;

}  // namespace graphplan::replay
