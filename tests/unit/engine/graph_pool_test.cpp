#include "engine/graph_pool.hpp"

#include "catch.hpp"

using namespace graphplan;

TEST_CASE("a pool's memory goes back when it does, once, wherever it was moved") {
    PretendedSegments segments;
    CachingAllocator allocator(segments, {});
    CachingAllocator::Pool id = 0;
    {
        engine::GraphPool pool(allocator);
        id = pool.id();
        allocator.free(allocator.allocate(3 * kMiB, id));
        CHECK(pool.bytes() == 20 * kMiB);
        const engine::GraphPool moved = std::move(pool);
        CHECK(moved.id() == id);
        CHECK(moved.bytes() == 20 * kMiB);
    }
    CHECK(allocator.pool_bytes(id) == 0);
}

TEST_CASE("memory that a graph still holds goes with the graph") {
    PretendedSegments segments;
    CachingAllocator allocator(segments, {});
    Allocation held;
    CachingAllocator::Pool id = 0;
    {
        const engine::GraphPool pool(allocator);
        id = pool.id();
        held = allocator.allocate(kMiB, id);
    }
    CHECK(allocator.pool_bytes(id) == 2 * kMiB);
    allocator.free(held);
    CHECK(allocator.pool_bytes(id) == 0);
}
