#include "sim/address_space.hpp"

#include "catch.hpp"

using namespace graphplan;
using graphplan::sim::AddressSpace;

TEST_CASE("new ranges are whole multiples of 32 MiB, each below the ones before it") {
    AddressSpace space;
    Address first = space.place(92 * kMiB);
    Address second = space.place(68 * kMiB);
    Address third = space.place(98 * kMiB);
    CHECK(first % (32 * kMiB) == 0);
    CHECK(first - second == 96 * kMiB);
    CHECK(second - third == 128 * kMiB);
}

// As recorded on an H200: 92 MiB, 90 MiB below it, then 2 MiB twice in the lower one's rest.
TEST_CASE("a range is filled upwards, and rests take later segments that fit") {
    AddressSpace space;
    Address upper = space.place(92 * kMiB);
    Address lower = space.place(90 * kMiB);
    CHECK(space.place(2 * kMiB) == lower + 90 * kMiB);
    CHECK(space.place(2 * kMiB) == lower + 92 * kMiB);
    CHECK(space.place(4 * kMiB) == upper + 92 * kMiB);
    CHECK(space.place(2 * kMiB) == lower + 94 * kMiB);
    CHECK(space.place(2 * kMiB) == lower - 32 * kMiB);
}

TEST_CASE("a hole in a range is used again, an empty range goes away") {
    AddressSpace space;
    Address a = space.place(20 * kMiB);
    Address b = space.place(10 * kMiB);
    CHECK(b == a + 20 * kMiB);
    space.remove(a, 20 * kMiB);
    CHECK(space.place(22 * kMiB) < a);
    CHECK(space.place(16 * kMiB) == a);
    space.remove(a, 16 * kMiB);
    space.remove(b, 10 * kMiB);
    CHECK(space.place(32 * kMiB) == a);
}

TEST_CASE("holes of ranges that lie side by side stay apart") {
    AddressSpace space;
    Address upper = space.place(32 * kMiB);
    Address lower = space.place(20 * kMiB);
    Address rest = space.place(12 * kMiB);
    CHECK(rest == lower + 20 * kMiB);
    space.remove(rest, 12 * kMiB);
    CHECK(upper == lower + 32 * kMiB);
    CHECK(space.place(20 * kMiB) == lower - 32 * kMiB);
}

TEST_CASE("reserved ranges lie apart from segments and from one another") {
    AddressSpace space;
    Address segment = space.place(2 * kMiB);
    Address first = space.reserve(100 * kGiB);
    Address second = space.reserve(100 * kGiB);
    CHECK(first - second == static_cast<Address>(100 * kGiB));
    CHECK(second > segment + static_cast<Address>(kGiB));
}
