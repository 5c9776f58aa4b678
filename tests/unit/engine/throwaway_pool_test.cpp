#include "engine/throwaway_pool.hpp"

#include "catch.hpp"
#include "fixture.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("a throwaway pool takes what was cached with it") {
    const Rig rig(make_model({R"({"op": "linear", "x": "x", "features": 8, "out": "y"})"}),
                  decode_buckets("[64]"));
    CachingAllocator& allocator = rig.engine->allocator();
    const Bytes before = allocator.reserved_bytes();
    {
        const std::unique_ptr<PreparedSlot> slot = rig.engine->prepare(rig.engine->buckets().at(0), 0);
        const ThrowawayPool pool(*rig.engine);
        slot->capture(pool.id());
        CHECK(pool.bytes() > 0);
        allocator.free(allocator.allocate(30 * kMiB));
        CHECK(allocator.reserved_bytes() >= before + pool.bytes() + 30 * kMiB);
    }
    CHECK(allocator.reserved_bytes() == before);
}
