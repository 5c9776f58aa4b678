#include "engine/one_off.hpp"

#include <algorithm>

namespace graphplan::engine {

OneOff::OneOff(Engine& engine) : engine_(engine), reader_(engine.device()) {}

CapturedGraph OneOff::capture(PreparedSlot& slot, CachingAllocator::Pool pool, Address outputs) {
    if (paid_) return slot.capture(pool, 1, outputs);
    const Bytes before = outside_segments();
    const auto count = [&] { bytes_ += std::max<Bytes>(0, outside_segments() - before); };
    try {
        CapturedGraph captured = slot.capture(pool, 1, outputs);
        paid_ = true;
        count();
        return captured;
    } catch (const Error&) {
        if (!engine_.device().poisoned()) count();
        throw;
    }
}

Bytes OneOff::outside_segments() { return reader_.taken() - engine_.allocator().reserved_bytes(); }

}  // namespace graphplan::engine
