#include "sizing/throwaway.hpp"

#include <algorithm>

namespace graphplan {
namespace {

/// A pool that goes, with what the engine caches, when its capture was measured or failed.
class ThrowawayPool {
  public:
    explicit ThrowawayPool(Engine& engine) : engine_(engine) {
        engine_.release_cached();
        pool_ = engine_.allocator().create_pool();
    }
    ~ThrowawayPool() {
        engine_.allocator().release_pool(pool_);
        engine_.release_cached();
    }
    ThrowawayPool(const ThrowawayPool&) = delete;
    ThrowawayPool& operator=(const ThrowawayPool&) = delete;

    CachingAllocator::Pool id() const noexcept { return pool_; }
    Bytes bytes() const noexcept { return engine_.allocator().pool_bytes(pool_); }

  private:
    Engine& engine_;
    CachingAllocator::Pool pool_;
};

}  // namespace

ThrowawayCaptures::ThrowawayCaptures(Engine& engine) : engine_(engine), reader_(engine.device()) {}

// Memory that is taken outside the allocator's segments: its change over a capture is the one-off.
Bytes ThrowawayCaptures::outside_segments(CachingAllocator::Pool pool) {
    const CachingAllocator& allocator = engine_.allocator();
    return reader_.taken() - allocator.pool_bytes(pool) -
           allocator.pool_bytes(CachingAllocator::kDefaultPool);
}

// A capture that fails may have paid the one-off before it failed, so each counts until one passes.
CapturedGraph ThrowawayCaptures::capture(PreparedSlot& slot, CachingAllocator::Pool pool) {
    if (captured_) return slot.capture(pool);
    const Bytes before = outside_segments(pool);
    const auto count = [&] { one_off_bytes_ += std::max<Bytes>(0, outside_segments(pool) - before); };
    try {
        CapturedGraph captured = slot.capture(pool);
        captured_ = true;
        count();
        return captured;
    } catch (const Error&) {
        if (!engine_.device().poisoned()) count();
        throw;
    }
}

ThrownAway ThrowawayCaptures::take(PreparedSlot& slot, ExecutableMemory& executable) {
    ThrownAway thrown;
    ThrowawayPool pool(engine_);
    try {
        CapturedGraph captured = capture(slot, pool.id());
        thrown.pool_bytes = pool.bytes();
        thrown.nodes = captured.nodes.total();
        thrown.trace = std::move(captured.trace);
        std::optional<Bytes> own;
        if (thrown.nodes > 0 && executable.measured()) {
            own = executable.measure_own(engine_.device(), captured.graph, thrown.nodes);
        } else if (thrown.nodes > 0) {
            executable.measure(engine_.device(), captured.graph, thrown.nodes);
            thrown.copied = executable.measured();
            if (!executable.measured()) {
                thrown.failure = Failure{Failure::Kind::instantiate, executable.reason()};
            }
        }
        thrown.outside_bytes = own.value_or(executable.outside_bytes(thrown.nodes));
    } catch (const Error& error) {
        thrown.failure = Failure{Failure::Kind::capture, error.what()};
    }
    return thrown;
}

}  // namespace graphplan
