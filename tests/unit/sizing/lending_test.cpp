#include "sizing/lending.hpp"

#include "catch.hpp"

using namespace graphplan;

namespace {

constexpr Bytes MiB = kMiB;

CapturedSize captured(Bytes peak, Bytes scratch, Bytes kept = 0) {
    return {peak, scratch + kept, kept, 1000 + peak, 10};
}

WalkLending walk_of(std::initializer_list<CapturedSize> sizes) {
    WalkLending walk;
    for (const CapturedSize& size : sizes) walk.add(size);
    return walk;
}

}  // namespace

TEST_CASE("the first two buckets of a walk are captured") {
    WalkLending walk;
    CHECK_FALSE(walk.lends(0));
    walk.add(captured(100 * MiB, 40 * MiB));
    CHECK_FALSE(walk.lends(1));
    walk.add(captured(50 * MiB, 20 * MiB));
    CHECK(walk.lends(1));
    CHECK(walk.lends(0));
}

TEST_CASE("a bucket is captured only if it peaks above the lender") {
    const WalkLending walk = walk_of({captured(100, 0), captured(50, 0)});
    CHECK(walk.lends(99));
    CHECK(walk.lends(100));
    CHECK_FALSE(walk.lends(101));
}

TEST_CASE("the lender is the captured bucket with the largest eager peak, the first of equals") {
    WalkLending walk = walk_of({captured(70, 2 * MiB), captured(90, 4 * MiB, 1), captured(90, 4 * MiB, 2)});
    CHECK(walk.lender().peak_bytes == 90);
    CHECK(walk.lender().kept_bytes == 1);
    walk.add(captured(91, 4 * MiB, 3));
    CHECK(walk.lender().kept_bytes == 3);
    walk.add(captured(10, 4 * MiB, 4));
    CHECK(walk.lender().kept_bytes == 3);
}

TEST_CASE("a lent graph is the lender's scratch and its own kept bytes") {
    const WalkLending walk = walk_of({captured(100, 40 * MiB, 8 * MiB), captured(50, 20 * MiB, 4 * MiB)});
    CHECK(walk.lender().scratch_bytes() == 40 * MiB);
    CHECK(walk.lent_graph_bytes(0) == 40 * MiB);
    CHECK(walk.lent_graph_bytes(3) == 40 * MiB + 3);
    CHECK(walk.lender().outside_bytes == 1100);
}

TEST_CASE("nothing is lent once a captured bucket took more scratch than the lender") {
    // The case that real decodes showed: 24 MiB at 32 rows, 56 MiB at 16.
    WalkLending walk = walk_of({captured(100, 24 * MiB), captured(50, 56 * MiB)});
    CHECK_FALSE(walk.lends(10));

    SECTION("for good, even after a new lender takes the most scratch") {
        walk.add(captured(200, 100 * MiB));
        CHECK(walk.lender().peak_bytes == 200);
        CHECK_FALSE(walk.lends(10));
    }
    SECTION("also where the new lender is the one that took less") {
        CHECK_FALSE(walk_of({captured(50, 56 * MiB), captured(100, 24 * MiB)}).lends(10));
    }
    SECTION("and a third capture can be the first that did") {
        WalkLending third = walk_of({captured(100, 24 * MiB), captured(50, 24 * MiB)});
        CHECK(third.lends(10));
        third.add(captured(120, 10 * MiB));
        CHECK_FALSE(third.lends(10));
    }
}

TEST_CASE("nothing is lent once a captured bucket has a number of nodes unlike the lender's") {
    const auto of = [](std::int64_t nodes) { return CapturedSize{100, 0, 0, 0, nodes}; };
    CHECK(walk_of({of(100), of(84)}).lends(50));
    CHECK_FALSE(walk_of({of(100), of(83)}).lends(50));
    CHECK_FALSE(walk_of({of(100), of(121)}).lends(50));
    CHECK_FALSE(walk_of({of(100), of(40), of(100)}).lends(50));
}

TEST_CASE("scratch is compared in whole segments of 2 MiB") {
    CHECK(walk_of({captured(100, 24 * MiB - 5), captured(50, 24 * MiB)}).lends(10));
    CHECK(walk_of({captured(100, 22 * MiB + 1), captured(50, 24 * MiB)}).lends(10));
    CHECK_FALSE(walk_of({captured(100, 24 * MiB), captured(50, 24 * MiB + 1)}).lends(10));
    CHECK_FALSE(walk_of({captured(100, 0), captured(50, 1)}).lends(10));
    CHECK(walk_of({captured(100, 0), captured(50, 0)}).lends(10));
}
