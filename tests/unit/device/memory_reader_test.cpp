#include "device/memory_reader.hpp"

#include "../sizing/fake_engine.hpp"
#include "catch.hpp"

using namespace graphplan;

TEST_CASE("the process's own memory is read where the device measures it") {
    FakeDevice device;
    device.neighbour = [](int reading) { return reading * kMiB; };
    MemoryReader reader(device);
    REQUIRE(reader.own());
    const Bytes before = reader.taken();
    device.own_bytes += 6 * kMiB;
    CHECK(reader.taken() - before == 6 * kMiB);
}

TEST_CASE("else free memory of the device is, with what neighbours move") {
    FakeDevice device;
    device.can.measures_process_memory = false;
    MemoryReader reader(device);
    REQUIRE_FALSE(reader.own());
    const Bytes before = reader.taken();
    device.own_bytes += 6 * kMiB;
    device.neighbour = [](int) { return -kMiB; };
    CHECK(reader.taken() - before == 5 * kMiB);
    CHECK(reader.free_bytes() == device.can.total_bytes - 6 * kMiB + 2 * kMiB);
}

TEST_CASE("a figure that stops being reported is an error, not a jump") {
    FakeDevice device;
    MemoryReader reader(device);
    REQUIRE(reader.own());
    device.can.measures_process_memory = false;
    CHECK_THROWS_AS(reader.taken(), Error);
}
