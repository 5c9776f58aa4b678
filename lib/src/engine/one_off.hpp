// What the first capture of a process costs once, whatever is captured.
#pragma once

#include "device/memory_reader.hpp"
#include "graphplan/engine.hpp"

namespace graphplan::engine {

/// Takes captures, and measures what the first one takes outside the allocator's segments: streams, modules.
class OneOff {
  public:
    /// `engine` outlives it.
    explicit OneOff(Engine& engine);

    /// @throws Error as PreparedSlot::capture. One that fails may have paid the one-off before it failed, so
    /// each counts until one passes.
    CapturedGraph capture(PreparedSlot& slot, CachingAllocator::Pool pool, Address outputs = 0);

    Bytes bytes() const noexcept { return bytes_; }  ///< never negative
    /// Whether that figure is free of other processes' memory.
    bool own() const noexcept { return reader_.own(); }

  private:
    Bytes outside_segments();

    Engine& engine_;
    MemoryReader reader_;
    Bytes bytes_ = 0;
    bool paid_ = false;
};

}  // namespace graphplan::engine
