// A pool for a capture that is thrown away.
#pragma once

#include "engine/graph_pool.hpp"
#include "graphplan/engine.hpp"

namespace graphplan::engine {

/// It goes with all that the engine caches, once its capture was measured or failed.
class ThrowawayPool {
  public:
    /// `engine` outlives it.
    explicit ThrowawayPool(Engine& engine) : cached_{engine}, pool_(engine.allocator()) {
        engine.release_cached();
    }

    CachingAllocator::Pool id() const noexcept { return pool_.id(); }
    Bytes bytes() const noexcept { return pool_.bytes(); }

  private:
    struct Cached {
        explicit Cached(Engine& of) noexcept : engine(of) {}
        ~Cached() { engine.release_cached(); }
        Cached(const Cached&) = delete;
        Cached& operator=(const Cached&) = delete;
        Engine& engine;
    };
    Cached cached_;  // outlives the pool: what the pool gives back goes too
    GraphPool pool_;
};

}  // namespace graphplan::engine
