#include "sim/extents.hpp"

#include <vector>

#include "catch.hpp"

using namespace graphplan;
using graphplan::sim::Extents;

TEST_CASE("extents that touch or overlap become one") {
    Extents extents;
    extents.add(100, 10);
    extents.add(120, 10);
    CHECK(extents.ends().size() == 2);
    extents.add(110, 10);
    CHECK(extents.ends() == std::map<Address, Address>{{100, 130}});
    extents.add(90, 100);
    CHECK(extents.ends() == std::map<Address, Address>{{90, 190}});
    extents.add(95, 5);
    extents.add(300, 0);
    CHECK(extents.ends() == std::map<Address, Address>{{90, 190}});
}

TEST_CASE("removing cuts, splits and spans extents") {
    Extents extents;
    extents.add(100, 100);
    extents.remove(140, 20);
    CHECK(extents.ends() == std::map<Address, Address>{{100, 140}, {160, 200}});
    extents.remove(130, 40);
    CHECK(extents.ends() == std::map<Address, Address>{{100, 130}, {170, 200}});
    extents.remove(0, 1000);
    CHECK(extents.ends().empty());
    extents.remove(0, 1000);
}

TEST_CASE("extents agree with a plain bitmap") {
    Extents extents;
    std::vector<bool> bits(256, false);
    std::uint64_t state = 1;
    for (int step = 0; step < 4000; ++step) {
        state = state * 6364136223846793005 + 1442695040888963407;
        Address begin = (state >> 33) % 200;
        auto bytes = static_cast<Bytes>((state >> 45) % 40);
        bool adds = (state >> 60) % 2 == 0;
        if (adds) extents.add(begin, bytes);
        if (!adds) extents.remove(begin, bytes);
        for (Bytes i = 0; i < bytes; ++i) bits[begin + static_cast<Address>(i)] = adds;

        Address from = (state >> 20) % 200;
        Bytes expected = 0;
        for (Address i = from; i < from + 30; ++i) expected += bits[i] ? 1 : 0;
        REQUIRE(extents.overlap(from, 30) == expected);
        REQUIRE(extents.contains(from, 30) == (expected == 30));
    }
}
