#include "sim/clock.hpp"

#include "catch.hpp"

using graphplan::sim::Clock;

TEST_CASE("small work is bound by launches, large work by the device") {
    Clock clock;
    clock.add_stream(1);
    clock.issue(1, 10, 4.0, 10.0);
    CHECK(clock.host() == Approx(40.0));
    CHECK(clock.now(1) == Approx(41.0));

    clock.synchronize(1);
    clock.issue(1, 10, 4.0, 1000.0);
    CHECK(clock.host() == Approx(81.0));
    CHECK(clock.now(1) == Approx(41.0 + 4.0 + 1000.0));
    clock.synchronize(1);
    CHECK(clock.host() == Approx(1045.0));
}

TEST_CASE("streams work side by side, unless one waits") {
    Clock clock;
    clock.add_stream(1);
    clock.add_stream(2);
    clock.issue(1, 1, 0.0, 100.0);
    clock.issue(2, 1, 0.0, 10.0);
    CHECK(clock.now(2) == Approx(10.0));
    clock.wait(2, clock.now(1));
    clock.issue(2, 1, 0.0, 10.0);
    CHECK(clock.now(2) == Approx(110.0));
    CHECK(clock.now(1) == Approx(100.0));
    clock.wait(1, 5.0);
    CHECK(clock.now(1) == Approx(100.0));
}

TEST_CASE("nothing issued takes no time") {
    Clock clock;
    clock.add_stream(1);
    clock.issue(1, 0, 4.0, 50.0);
    CHECK(clock.now(1) == 0.0);
    CHECK(clock.has(1));
    clock.remove_stream(1);
    CHECK_FALSE(clock.has(1));
}
