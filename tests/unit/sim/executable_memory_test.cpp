#include "sim/executable_memory.hpp"

#include <cstdlib>
#include <vector>

#include "catch.hpp"

using namespace graphplan;
using namespace graphplan::sim;

namespace {

struct Driver {
    DeviceMemory device{8 * kGiB, 0, 0};
    ExecutableMemory executables;

    Bytes add(std::int64_t kernels, int copies = 1) {
        for (int i = 0; i < copies; ++i) executables.add(kernels, device);
        return device.process_bytes();
    }
    void remove(std::int64_t kernels, int copies) {
        for (int i = 0; i < copies; ++i) executables.remove(kernels);
    }
};

void check_curve(std::int64_t kernels, const std::vector<Bytes>& measured_mib) {
    Driver driver;
    for (std::size_t k = 1; k < measured_mib.size(); ++k) {
        CAPTURE(kernels, k);
        Bytes taken = driver.add(kernels);
        CHECK(taken % kSegment == 0);
        CHECK(std::abs(taken - measured_mib[k] * kMiB) <= 2 * kSegment);
    }
}

}  // namespace

// MiB that k copies of a graph took, measured on an NVIDIA H200 (driver 580.159.04).
TEST_CASE("k copies take what they took on a real device, within two pieces") {
    check_curve(228, {0,  0,  0,  0,  0,  2,  2,  2,  2,  6,  6,  6,  6,  8,  8,  8,  8,  12, 12, 12, 14,
                      14, 16, 16, 16, 16, 18, 18, 18, 18, 20, 20, 20, 20, 24, 24, 24, 24, 24, 26, 26});
    check_curve(320, {0,  0,  0,  2,  2,  2,  4,  4,  4,  8,  8,  10, 10, 12, 14, 14, 14, 16, 16, 16, 20,
                      20, 20, 22, 22, 24, 26, 26, 28, 28, 28, 30, 30, 30, 32, 32, 32, 34, 34, 36, 38});
}

TEST_CASE("rates are those that were measured: 3029 bytes a node at 300 nodes, 2430 at 2222") {
    for (auto [kernels, rate] : {std::pair{300, 3029.0}, std::pair{2222, 2430.0}}) {
        Driver driver;
        Bytes taken = driver.add(kernels, 400);
        CHECK(static_cast<double>(taken) / (400.0 * kernels) == Approx(rate).epsilon(0.01));
    }
}

TEST_CASE("most small executables take nothing, then one takes a piece or two") {
    Driver driver;
    int steps = 0;
    Bytes before = 0;
    for (int i = 0; i < 100; ++i) {
        Bytes step = driver.add(228) - before;
        before += step;
        CHECK(step <= 2 * kSegment);
        steps += step > 0 ? 1 : 0;
    }
    CHECK(steps > 10);
    CHECK(steps < 50);
}

TEST_CASE("a large executable takes two or three pieces each time") {
    Driver driver;
    Bytes before = driver.add(2222, 3);
    for (int i = 0; i < 20; ++i) {
        Bytes step = driver.add(2222) - before;
        before += step;
        CHECK(step >= 2 * kSegment);
        CHECK(step <= 3 * kSegment);
    }
}

TEST_CASE("what executables leave is kept and used again, by smaller ones with a little loss") {
    Driver driver;
    Bytes taken = driver.add(300, 120);
    driver.remove(300, 120);
    CHECK(driver.device.process_bytes() == taken);
    CHECK(driver.add(300, 120) == taken);
    driver.remove(300, 120);
    Bytes more = driver.add(225, 160) - taken;
    CHECK(more >= 0);
    CHECK(more <= 8 * kMiB);
}

TEST_CASE("an executable without kernels takes its own share alone") {
    Driver driver;
    CHECK(driver.add(0, 2) == 0);
    CHECK(driver.add(0, 98) < 24 * kMiB);
}

TEST_CASE("an executable that does not fit takes nothing and can be tried again") {
    DeviceMemory device(64 * kMiB, 62 * kMiB, 0);
    ExecutableMemory executables;
    CHECK_THROWS_AS(executables.add(5000, device), Error);
    CHECK(device.free_bytes() == 2 * kMiB);
    CHECK_NOTHROW(executables.add(300, device));
    CHECK(device.free_bytes() == 2 * kMiB);
}
