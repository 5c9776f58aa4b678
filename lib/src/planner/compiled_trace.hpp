// A costs document's traces, made ready to run through the allocator many times.
#pragma once

#include <cstdint>
#include <vector>

#include "graphplan/plan.hpp"

namespace graphplan {

/// An event whose id is the place of what it allocates.
struct CompiledEvent {
    enum class Kind : std::uint8_t { allocate, free, workspace };
    Kind kind = Kind::allocate;
    std::uint32_t place = 0;
    Bytes bytes = 0;
};

/// Blocks for small requests and for large ones lie in segments of their own.
struct LiveBytes {
    Bytes small = 0;
    Bytes large = 0;
};

/// Each part's sum, or the larger one. Lower bounds stay valid where they stop growing, at 2^61.
LiveBytes operator+(LiveBytes a, LiveBytes b) noexcept;
LiveBytes operator*(LiveBytes a, std::int64_t times) noexcept;
LiveBytes larger(LiveBytes a, LiveBytes b) noexcept;

struct CompiledTrace {
    std::vector<CompiledEvent> events;  ///< without zero-byte allocations; workspaces are never freed
    std::uint32_t places = 0;
    // In rounded bytes; blocks may be larger.
    LiveBytes peak;        ///< the most that is live at once, the workspaces made so far among it
    LiveBytes bare_peak;   ///< the same without workspaces
    LiveBytes kept;        ///< what is live at the end, without workspaces
    LiveBytes workspaces;  ///< all of them
};

/// Without its outputs where these lie elsewhere. @throws Error invalid_document at the event of trace
/// `index` that frees what is not live, or allocates what is
CompiledTrace compile_trace(const Costs& costs, std::size_t index, Outputs outputs = Outputs::per_graph);

}  // namespace graphplan
