#include "engine/workspaces.hpp"

#include "catch.hpp"

using namespace graphplan;
using namespace graphplan::engine;

TEST_CASE("a library's workspace is made once in a pool and kept until cleared") {
    PretendedSegments segments;
    CachingAllocator allocator(segments, {});
    const CachingAllocator::Pool pool = allocator.create_pool();
    Workspaces workspaces(allocator, pool);
    const Address first = workspaces.get("blas", kMiB);
    CHECK(workspaces.get("blas", kMiB) == first);
    CHECK(workspaces.get("blas", 1024) == first);
    CHECK(workspaces.get("dnn", kMiB) != first);
    CHECK(workspaces.get("blas", 4 * kMiB) != first);
    CHECK(workspaces.get("blas", kMiB) == first);
    CHECK(allocator.allocated_bytes() == 6 * kMiB);
    CHECK(allocator.pool_bytes(CachingAllocator::kDefaultPool) == 0);
    workspaces.clear();
    CHECK(allocator.allocated_bytes() == 0);
}
