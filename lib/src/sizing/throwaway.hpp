// Throwaway captures: into a pool of their own, measured, then handed back whole.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/one_off.hpp"
#include "graphplan/costs.hpp"
#include "graphplan/engine.hpp"
#include "sizing/executable_memory.hpp"

namespace graphplan {

/// What a throwaway capture measured, or why it did not.
struct ThrownAway {
    std::optional<Failure> failure;
    Bytes pool_bytes = 0;
    Bytes outside_bytes = 0;
    std::int64_t nodes = 0;
    bool copied = false;  ///< its graph measured the walk
    EventTrace trace;
};

/// How many graphs there will be of the walk, and of the bucket: its slots.
struct GraphCounts {
    std::int64_t walk = 1, bucket = 1;
};

/// Takes throwaway captures of one process, and measures what the first one costs once.
class ThrowawayCaptures {
  public:
    /// `engine` outlives it.
    explicit ThrowawayCaptures(Engine& engine) : engine_(engine), first_(engine) {}

    /// Captures `slot`, measures it, and gives back everything but the copies that `executable` holds.
    /// The first graph of a walk measures `executable`, for all graphs of the walk. A failed capture
    /// is an answer; whether it poisoned the device is for the caller to ask.
    ThrownAway take(PreparedSlot& slot, ExecutableMemory& executable, const GraphCounts& graphs);

    /// What the first capture took once outside its pool, e.g. streams and modules; never negative.
    Bytes one_off_bytes() const noexcept { return first_.bytes(); }
    /// Whether that figure is free of other processes' memory.
    bool one_off_is_own() const noexcept { return first_.own(); }

  private:
    Engine& engine_;
    engine::OneOff first_;
};

}  // namespace graphplan
