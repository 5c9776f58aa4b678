#include "sim/device_memory.hpp"

#include <string>

#include "catch.hpp"

using namespace graphplan;
using graphplan::sim::DeviceMemory;

TEST_CASE("free is what context, others and segments leave") {
    DeviceMemory memory(kGiB, 100 * kMiB, 24 * kMiB);
    CHECK(memory.free_bytes() == 900 * kMiB);
    CHECK(memory.process_bytes() == 100 * kMiB);
    Address address = memory.allocate(3 * kMiB);
    CHECK(memory.process_bytes() == 104 * kMiB);
    CHECK(memory.free_bytes() == 896 * kMiB);
    memory.release(address);
    memory.release(address);
    memory.release(12345);
    CHECK(memory.process_bytes() == 100 * kMiB);
}

TEST_CASE("running out names what is wanted and what is free, and takes nothing") {
    DeviceMemory memory(64 * kMiB, 0, 32 * kMiB);
    try {
        memory.allocate(34 * kMiB);
        FAIL("an Error is expected");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::out_of_memory);
        std::string words = error.what();
        CHECK(words.find("34.0 MiB (35651584 bytes)") != std::string::npos);
        CHECK(words.find("32.0 MiB (33554432 bytes)") != std::string::npos);
        CHECK(words.find("of 64.0 MiB") != std::string::npos);
    }
    CHECK(memory.free_bytes() == 32 * kMiB);
    CHECK_NOTHROW(memory.allocate(32 * kMiB));
    CHECK(memory.free_bytes() == 0);
    CHECK_THROWS_AS(memory.allocate(1), Error);
    CHECK_THROWS_AS(memory.allocate(std::int64_t{1} << 62), Error);
}

TEST_CASE("sizes that are none are refused") {
    DeviceMemory memory(kGiB, 0, 0);
    CHECK_THROWS_AS(memory.allocate(0), Error);
    CHECK_THROWS_AS(memory.allocate(-kSegment), Error);
    CHECK_THROWS_AS(DeviceMemory(0, 0, 0), Error);
    CHECK_THROWS_AS(DeviceMemory(kGiB, kGiB, 1), Error);
    CHECK_THROWS_AS(DeviceMemory(kGiB, 0, -1), Error);
}

TEST_CASE("a reserved range spans more than the device and takes memory as it is mapped") {
    DeviceMemory memory(kGiB, 0, 0);
    Address range = memory.reserve();
    CHECK(memory.free_bytes() == kGiB);
    memory.map(range, 20 * kMiB);
    memory.map(range + 100 * kMiB, 2 * kMiB);
    CHECK(memory.process_bytes() == 22 * kMiB);
    CHECK(memory.holds(range, 20 * kMiB));
    CHECK_FALSE(memory.holds(range + 18 * kMiB, 4 * kMiB));
    memory.unmap(range + 18 * kMiB, 100 * kMiB);
    CHECK(memory.process_bytes() == 18 * kMiB);
    CHECK_NOTHROW(memory.map(range + 18 * kMiB, kGiB - 18 * kMiB));
    CHECK(memory.free_bytes() == 0);
    CHECK_THROWS_AS(memory.map(range + kGiB, kSegment), Error);
}

TEST_CASE("mapping twice, outside a range or not in whole pieces is refused") {
    DeviceMemory memory(kGiB, 0, 0);
    Address range = memory.reserve();
    Address segment = memory.allocate(kSegment);
    memory.map(range, kSegment);
    CHECK_THROWS_AS(memory.map(range, kSegment), Error);
    CHECK_THROWS_AS(memory.map(segment + kSegment, kSegment), Error);
    CHECK_THROWS_AS(memory.map(range + kSegment, kMiB), Error);
    CHECK_THROWS_AS(memory.map(range + kMiB, kSegment), Error);
    CHECK(memory.process_bytes() == 2 * kSegment);
    memory.unmap(segment, kSegment);
    CHECK(memory.process_bytes() == 2 * kSegment);
}

TEST_CASE("others take and give within what there is") {
    DeviceMemory memory(kGiB, 0, 10 * kMiB);
    memory.move_others(-20 * kMiB);
    CHECK(memory.other_bytes() == 0);
    memory.move_others(2 * kGiB);
    CHECK(memory.free_bytes() == 0);
    CHECK(memory.process_bytes() == 0);
}

TEST_CASE("memory is held where segments lie, and no longer than they do") {
    DeviceMemory memory(kGiB, 0, 0);
    Address address = memory.allocate(4 * kMiB);
    CHECK(memory.holds(address, 4 * kMiB));
    CHECK_FALSE(memory.holds(address, 4 * kMiB + 1));
    CHECK_FALSE(memory.holds(address - 1, 2));
    memory.release(address);
    CHECK_FALSE(memory.holds(address, 1));
}
