// Counts what this program allocates with new, by replacing it.
#pragma once

#include <cstdint>

std::int64_t counted_allocations() noexcept;
